import {
  Autocomplete,
  createTheme,
  darken,
  defaultCssVariablesResolver,
  Drawer,
  DrawerHeader,
  luminance,
  Menu,
  Modal,
  ModalHeader,
  Notification,
  Popover,
  Select,
  Table,
  TagsInput,
  Tooltip,
  type CSSVariablesResolver,
} from '@mantine/core';

/** The list itself scrolls and not a box within it, which nobody could reach by keyboard. */
const SCROLLING_LIST = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 250, overflowY: 'auto' } },
} as const;

/** WCAG AA for text, with a little to spare for rounding. */
const CONTRAST_MIN = 4.6;
const STEP = 0.05;
/** Where a menu or a list of options opens: in the main part of the page and not after it, outside every landmark. */
const IN_CONTENT = { target: '#content' };

export const theme = createTheme({
  primaryColor: 'indigo',
  // Dark enough for white letters on it.
  primaryShade: 8,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  respectReducedMotion: true,
  autoContrast: true,
  // Up to here white has the contrast of 4.5 that text needs, on the red of what cannot be undone too.
  luminanceThreshold: 0.183,
  components: {
    // The header of a dialog is not the page's.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'none' } }),
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'none' } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600 } },
    }),
    Drawer: Drawer.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600 } },
    }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    // The placeholder would be an entry of the menu that says nothing.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false, portalProps: IN_CONTENT } }),
    // Lists to choose from are made of it.
    Popover: Popover.extend({ defaultProps: { portalProps: IN_CONTENT } }),
    Autocomplete: Autocomplete.extend(SCROLLING_LIST),
    Select: Select.extend(SCROLLING_LIST),
    TagsInput: TagsInput.extend(SCROLLING_LIST),
    Table: Table.extend({
      defaultProps: {
        // A link is to be read on it too.
        highlightOnHoverColor: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))',
      },
    }),
    // On one line it may be wider than a phone.
    Tooltip: Tooltip.extend({ defaultProps: { multiline: true, maw: 'min(24rem, 90vw)' } }),
  },
});

/** The library's colours, where text would be too pale to read, made darker or brighter. */
export const cssVariables: CSSVariablesResolver = (merged) => {
  const { variables, light, dark } = defaultCssVariablesResolver(merged);
  for (const [name, shades] of Object.entries(merged.colors)) {
    const [, pale, , , , , , , , deep] = shades;
    if (pale === undefined || deep === undefined) continue;
    const onPale = readable(deep, pale);
    Object.assign(light, {
      [`--mantine-color-${name}-text`]: onPale,
      [`--mantine-color-${name}-light-color`]: onPale,
      [`--mantine-color-${name}-outline`]: onPale,
    });
  }
  Object.assign(light, {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': '#687078',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  });
  Object.assign(dark, {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': '#a0a0a0',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  });
  return { variables, light, dark };
};

/** `color`, as much darker as it takes to be read on `background`, which is bright. */
function readable(color: string, background: string): string {
  let shown = color;
  for (let by = STEP; by < 1 && contrast(shown, background) < CONTRAST_MIN; by += STEP) shown = darken(color, by);
  return shown;
}

const contrast = (dark: string, bright: string): number => (luminance(bright) + 0.05) / (luminance(dark) + 0.05);
