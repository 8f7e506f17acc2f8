/** An object with some members replaced, including getters; its other members still use the originals. */
export function withFaults<Whole extends object>(whole: Whole, faults: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get: (_target, name) => {
      const holder: object = Object.hasOwn(faults, name) ? faults : whole;
      const value: unknown = Reflect.get(holder, name, holder);
      return typeof value === 'function' ? (value as () => unknown).bind(holder) : value;
    },
  });
}
