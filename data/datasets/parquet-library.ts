import { loadOptional } from '../../env/optional-packages.js';

/** The only module that imports hyparquet and hyparquet-writer: all others take their values and types from here. */
export const { parquetMetadata, parquetReadObjects } = await loadOptional(
  'hyparquet',
  () => import('hyparquet'),
);
export const { ByteWriter, parquetWrite } = await loadOptional(
  'hyparquet-writer',
  () => import('hyparquet-writer'),
);
export type { SchemaElement } from 'hyparquet-writer';
export type { FileMetaData } from 'hyparquet';
