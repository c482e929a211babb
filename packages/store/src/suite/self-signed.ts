import { generateKeyPairSync, sign } from 'node:crypto'

const ECDSA_SHA256 = tag(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const IP_ADDRESS = 0x87
const YEAR_MS = 365 * 86_400_000

/** A certificate for 127.0.0.1 that signs itself, and its key, in PEM (RFC 5280). Node makes keys and signatures, but no certificates. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = tag(0x30, tag(0x31, tag(0x30, COMMON_NAME, tag(0x0c, Buffer.from('test')))))
  const validity = tag(0x30, time(Date.now() - YEAR_MS), time(Date.now() + YEAR_MS))
  const authority = tag(0x30, BASIC_CONSTRAINTS, tag(0x04, tag(0x30, Buffer.from('0101ff', 'hex'))))
  const loopback = tag(0x30, SUBJECT_ALT_NAME, tag(0x04, tag(0x30, tag(IP_ADDRESS, Buffer.from([127, 0, 0, 1])))))
  const toSign = tag(
    0x30,
    Buffer.from('a003020102020101', 'hex'),
    ECDSA_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, tag(0x30, authority, loopback)),
  )
  const signature = tag(0x03, Buffer.from([0]), sign('sha256', toSign, privateKey))
  const lines =
    tag(0x30, toSign, ECDSA_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** One element in DER. */
function tag(type: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([type, length]), content])
  return Buffer.concat([
    length < 0x100 ? Buffer.from([type, 0x81, length]) : Buffer.from([type, 0x82, length >> 8, length & 0xff]),
    content,
  ])
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/[-T:]/g, '').slice(2, 14)
  return tag(0x17, Buffer.from(`${digits}Z`))
}
