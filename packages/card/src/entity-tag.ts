const FNV_OFFSET = 0xcbf29ce484222325n
const FNV_PRIME = 0x100000001b3n

/** A strong entity tag of the bytes (FNV-1a, 64 bits): it tells versions apart, and protects nothing. */
export function entityTag(bytes: Uint8Array): string {
  const hash = bytes.reduce((value, byte) => BigInt.asUintN(64, (value ^ BigInt(byte)) * FNV_PRIME), FNV_OFFSET)
  return `"${hash.toString(16).padStart(16, '0')}"`
}
