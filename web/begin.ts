import { mount } from 'svelte';
import App from './App.svelte';
import type { PageEngine } from './engine/page-engine.js';
import './look/theme.css';

/** Makes the page. */
export function begin(engine: PageEngine): void {
  mount(App, { target: document.querySelector('#app')!, props: { engine } });
}
