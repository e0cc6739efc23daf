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

/** Scrolls the list itself: a scroll box inside the list cannot be reached by keyboard. */
const SCROLLING_LIST = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 250, overflowY: 'auto' } },
} as const;

/** WCAG AA requires 4.5 for text. The margin covers rounding. */
const CONTRAST_MIN = 4.6;
const STEP = 0.05;
/** Keeps menus and option lists inside the main landmark, as accessibility rules require. */
const IN_CONTENT = { target: '#content' };

export const theme = createTheme({
  primaryColor: 'indigo',
  // Dark enough for white text.
  primaryShade: 8,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  respectReducedMotion: true,
  autoContrast: true,
  // White text has a contrast of at least 4.5 up to this luminance, which includes the red of dangerous actions.
  luminanceThreshold: 0.183,
  components: {
    // Without this role, screen readers list a dialog's header as a page header.
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
    // The placeholder would be an empty menu entry for screen readers.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false, portalProps: IN_CONTENT } }),
    // Select and Autocomplete open their options in a popover.
    Popover: Popover.extend({ defaultProps: { portalProps: IN_CONTENT } }),
    Autocomplete: Autocomplete.extend(SCROLLING_LIST),
    Select: Select.extend(SCROLLING_LIST),
    TagsInput: TagsInput.extend(SCROLLING_LIST),
    Table: Table.extend({
      defaultProps: {
        // Links need enough contrast on the hovered row.
        highlightOnHoverColor: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))',
      },
    }),
    // A single line can be wider than a phone.
    Tooltip: Tooltip.extend({ defaultProps: { multiline: true, maw: 'min(24rem, 90vw)' } }),
  },
});

/** Mantine's colors, adjusted where text would have too little contrast. */
export const cssVariables: CSSVariablesResolver = (merged) => {
  const { variables, light, dark } = defaultCssVariablesResolver(merged);
  for (const [name, shades] of Object.entries(merged.colors)) {
    // The background of light buttons under the pointer, which is darker than their normal background.
    const [, , hovered, , , , , , , deep] = shades;
    if (hovered === undefined || deep === undefined) continue;
    const onHovered = readable(deep, hovered);
    Object.assign(light, {
      [`--mantine-color-${name}-text`]: onHovered,
      [`--mantine-color-${name}-light-color`]: onHovered,
      [`--mantine-color-${name}-outline`]: onHovered,
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

/** Darkens `color` until it has enough contrast on the light `background`. */
function readable(color: string, background: string): string {
  let shown = color;
  for (let by = STEP; by < 1 && contrast(shown, background) < CONTRAST_MIN; by += STEP) shown = darken(color, by);
  return shown;
}

const contrast = (dark: string, bright: string): number => (luminance(bright) + 0.05) / (luminance(dark) + 0.05);
