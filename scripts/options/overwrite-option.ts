import { Option } from '@commander-js/extra-typings';

/** `--overwrite`: without it a command that writes a named file refuses an existing one (`expectPlaceForFile`). */
export const overwriteOption = new Option(
  '--overwrite',
  'replace existing files (default: they are refused)',
);
