import { NATIVE_BACKEND } from '../backend-names.js';
import type { Tensorflow } from '../tensorflow-module.js';
import type { Operations } from './operations.js';
import { PortableOperations } from './portable-operations.js';

let makeNative: ((tf: Tensorflow) => Operations) | undefined;

/** Registers the native backend's operations, so that browsers, which lack it, need not load them. */
export function registerNativeOperations(make: (tf: Tensorflow) => Operations): void {
  makeNative = make;
}

/** The operations that are fastest on the active backend. */
export function operationsOf(tf: Tensorflow): Operations {
  return makeNative !== undefined && tf.getBackend() === NATIVE_BACKEND
    ? makeNative(tf)
    : new PortableOperations(tf);
}
