/** An event as a file stores it. */
export interface DecodedEvent {
  readonly seconds: number;
  readonly step: number;
  readonly version: string | null;
  readonly scalars: ReadonlyMap<string, number>;
  /** Tags of values that are not scalars. */
  readonly others: readonly string[];
}

/** CRC-32C, computed bit by bit and masked as in TFRecord files. */
function maskedCrc(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  const plain = BigInt(~crc >>> 0);
  return Number((((plain >> 15n) | (plain << 17n)) + 0xa282ead8n) & 0xffffffffn);
}

/** The records of a TFRecord file. */
function recordsOf(file: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const length = Number(file.readBigUInt64LE(at));
    const data = file.subarray(at + 12, at + 12 + length);
    if (file.readUInt32LE(at + 8) !== maskedCrc(file.subarray(at, at + 8)))
      throw new Error(`length at ${at}`);
    if (file.readUInt32LE(at + 12 + length) !== maskedCrc(data)) throw new Error(`data at ${at}`);
    records.push(data);
    at += 16 + length;
  }
  return records;
}

type Field = readonly [number: number, value: Buffer | bigint];

function readVarint(message: Buffer, start: number): [value: bigint, end: number] {
  let value = 0n;
  let at = start;
  for (let shift = 0n; ; shift += 7n) {
    const byte = message[at++]!;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
}

/** The fields of a message in protobuf's wire format. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length;) {
    const [key, start] = readVarint(message, at);
    const [number, type] = [Number(key >> 3n), Number(key & 7n)];
    if (type === 0) {
      const [value, end] = readVarint(message, start);
      fields.push([number, value]);
      at = end;
    } else {
      const [length, from] = type === 2 ? readVarint(message, start) : [type === 1 ? 8n : 4n, start];
      at = from + Number(length);
      fields.push([number, message.subarray(from, at)]);
    }
  }
  return fields;
}

/** Reads an event file and verifies every checksum; written from the description of the formats alone. */
export function decodeEventFile(file: Buffer): DecodedEvent[] {
  return recordsOf(file).map((record) => {
    const fields = new Map(fieldsOf(record));
    const summary = fields.get(5) as Buffer | undefined;
    const scalars = new Map<string, number>();
    const others: string[] = [];
    for (const [, value] of summary === undefined ? [] : fieldsOf(summary)) {
      const parts = new Map(fieldsOf(value as Buffer));
      const tag = (parts.get(1) as Buffer).toString();
      const scalar = parts.get(2) as Buffer | undefined;
      if (scalar === undefined) others.push(tag);
      else scalars.set(tag, scalar.readFloatLE());
    }
    return {
      seconds: (fields.get(1) as Buffer).readDoubleLE(),
      step: Number(fields.get(2) ?? 0),
      version: (fields.get(3) as Buffer | undefined)?.toString() ?? null,
      scalars,
      others,
    };
  });
}
