/** The only module that imports hyparquet and hyparquet-writer: all others take their values and types from here. */
export { parquetMetadata, parquetReadObjects } from 'hyparquet';
export { ByteWriter, parquetWrite } from 'hyparquet-writer';
export type { SchemaElement } from 'hyparquet-writer';
