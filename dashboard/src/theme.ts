import {
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
  Tooltip,
  type CSSVariablesResolver,
} from '@mantine/core';

/** WCAG AA for text, with a little to spare for rounding. */
const CONTRAST_MIN = 4.6;
const STEP = 0.05;

export const theme = createTheme({
  primaryColor: 'indigo',
  // Dark enough for white letters on it.
  primaryShade: 8,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  respectReducedMotion: true,
  autoContrast: true,
  // From here on black is read more easily than white.
  luminanceThreshold: 0.179,
  components: {
    // The header of a dialog is not the page's.
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'none' } }),
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'none' } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 600 } },
    }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    // It would be an entry of the menu that says nothing.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
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
