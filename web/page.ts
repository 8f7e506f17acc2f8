import { mount } from 'svelte';
import App from './App.svelte';
import './look/theme.css';

mount(App, { target: document.querySelector('#app')! });
