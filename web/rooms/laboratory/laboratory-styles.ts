import address from './laboratory.css?url';

/**
 * Adds the room's styles to the page, a separate file: they are not part of the first load. Resolves when they are
 * loaded.
 */
export const laboratoryStyles = new Promise<void>((resolve) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  link.onload = link.onerror = () => {
    resolve();
  };
  document.head.append(link);
});
