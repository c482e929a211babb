import { z } from 'zod'

/** What Temporal's server takes of one half of a version, in bytes: a longer one never registers. */
const MAX_BYTES = 255

/** A worker whose version the server refuses polls in vain, and only its log says so. */
function half(what: string, forbidden: RegExp): z.ZodType<string, string> {
  const isTaken = (text: string) => !forbidden.test(text) && !text.startsWith('__') && Buffer.byteLength(text) <= MAX_BYTES
  return z
    .string()
    .trim()
    .refine(isTaken, `must be ${what}, not begin with __, and have at most ${MAX_BYTES} bytes: Temporal takes no other`)
}

/** The schema of MOORAGE_DEPLOYMENT_NAME. Temporal writes a version as name.id or name:id. */
export const deploymentName: z.ZodType<string, string> = half('without . and :, which end the name in a version of Temporal', /[.:]/)

/** The schema of MOORAGE_BUILD_ID. */
export const buildId: z.ZodType<string, string> = half('a text of one line', /[\r\n]/)
