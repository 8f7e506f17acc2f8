import type { Option } from '@commander-js/extra-typings';

/** The default as JSON; undefined without one. An empty list, of an option that may be repeated, is none. */
function defaultOf({ defaultValue, defaultValueDescription }: Option): string | undefined {
  if (defaultValueDescription !== undefined) return defaultValueDescription;
  const isNone = defaultValue === undefined || defaultValue === false;
  if (isNone || (Array.isArray(defaultValue) && defaultValue.length === 0)) return undefined;
  return JSON.stringify(defaultValue);
}

/** The description of an option with its values, and its default or that it is required. */
export function describeOption(option: Option): string {
  const value = defaultOf(option);
  const parts = [
    ...(option.argChoices === undefined ? [] : [`one of ${option.argChoices.join(', ')}`]),
    ...(value === undefined ? [] : [`default: ${value}`]),
    ...(option.mandatory && value === undefined ? ['required'] : []),
  ];
  return parts.length === 0 ? option.description : `${option.description} (${parts.join('; ')})`;
}
