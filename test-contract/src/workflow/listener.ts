import type { Logger } from '@moorage/workflow/worker'

/** A logger that keeps what it hears above debug, level first. */
export function createListener(): { readonly logger: Logger; lines(): readonly string[] } {
  const heard: string[] = []
  const hear = (level: string) => (_: object, message: string) => void heard.push(`${level} ${message}`)
  return { logger: { debug: () => {}, info: hear('info'), warn: hear('warn'), error: hear('error') }, lines: () => heard }
}
