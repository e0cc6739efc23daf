// Without the default theme's fonts: the system's fonts need no download.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
