import { mount } from 'svelte';
import App from './App.svelte';
import './look/theme.css';

mount(App, { target: document.querySelector('#app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    void navigator.serviceWorker.register('./service-worker.js');
  });
}
