import { z } from 'zod'

/** The kit's `TCK_STREAMING_TIMEOUT`, a number of seconds, as milliseconds. */
export const streamingTimeout: z.ZodType<number, string | undefined> = z
  .string()
  .regex(/^\d{1,6}(\.\d+)?$/, 'must be a number of seconds, such as 2.0')
  .transform((seconds) => Number(seconds) * 1000)
  .prefault('2.0')
  .meta({ defaultText: '2.0', description: 'Seconds that the kit waits for events of a stream' })
