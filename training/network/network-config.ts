import * as z from 'zod';
import { BaseConfig } from './base-shape.js';
import { HEAD_SETTINGS } from './heads/head-table.js';

/** Settings of the network. */
export const NetworkConfig = z.strictObject({ ...BaseConfig.shape, ...HEAD_SETTINGS });
export type NetworkConfig = z.infer<typeof NetworkConfig>;
