import type { SettingValues } from './settings.svelte.js';

/** Gives the page the colours of a theme, until the returned function is called. */
export function followTheme(theme: SettingValues['theme']): () => void {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches);
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  };
  apply();
  prefersDark.addEventListener('change', apply);
  return () => {
    prefersDark.removeEventListener('change', apply);
  };
}
