/** What is no secret though its name ends in "token": places in lists, and the tokens of models. */
const OTHER_TOKENS = '(?:page|continuation|sync|cursor|next|start|stop|end|first|last|bos|eos|pad|max|min)'

/** How the name of a secret ends, in a text or of a field: `password`, `client_secret`, `GITHUB_TOKEN`, `xApiKey`. */
export const SECRET_NAME = `(?:pass[-_. ]?word|passwd|passphrase|pwd|secret|(?:api|secret|private|access|account|encryption)[-_. ]?key|(?<!${OTHER_TOKENS}[-_. ]?)token|credentials)`

const ENDS_AS_SECRET = new RegExp(`(?:${SECRET_NAME}|^pass|authorization)$`, 'i')

/** Whether the value of a field with this name is a secret whatever it looks like. */
export function namesSecret(name: string): boolean {
  return name.length <= 256 && ENDS_AS_SECRET.test(name)
}
