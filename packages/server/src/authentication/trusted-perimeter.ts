import ipaddr from 'ipaddr.js'
import { checkOptions, type Rule } from '../option-rules.js'
import { type Authenticator, defineAuthenticator, type SecuritySchemes } from './authenticator.js'

export interface TrustedPerimeterOptions {
  /** The header in which the proxy names the subject. The proxy has to set it on every request, in the place of one that a client sent. */
  readonly header: string
  /** The same for the tenant. @default none: callers have no tenant */
  readonly tenantHeader?: string
  /** The proxy's addresses: IPv4 and IPv6, single ones or CIDR ranges. From any other address the headers are as good as not there. */
  readonly addresses: readonly string[]
  /** What the proxy asks of its callers: the schemes that the card says. */
  readonly schemes: SecuritySchemes
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

const HEADER: Rule = { must: 'be the name of a header', holds: (value) => typeof value === 'string' && /^[\w-]+$/.test(value) }
const RULES: Readonly<Record<keyof TrustedPerimeterOptions, Rule>> = {
  header: HEADER,
  tenantHeader: HEADER,
  addresses: { must: 'be a list of at least one address or CIDR range', holds: (value) => Array.isArray(value) && value.length > 0 },
  schemes: {
    must: 'be an object with at least one security scheme by its name: the one that the proxy enforces',
    holds: (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  },
}

/**
 * Knows callers by what a proxy in front says of them, in a header, from listed addresses only. A value with a comma is refused: it may be two
 * headers, of which a client sent one.
 * @throws TypeError that names the option which is wrong
 */
export function trustedPerimeter(options: TrustedPerimeterOptions): Authenticator {
  checkOptions('trustedPerimeter', RULES, ['header', 'addresses', 'schemes'], options)
  const { header, tenantHeader, schemes } = options
  const ranges = options.addresses.map((address, index) => parseRange(address, `trustedPerimeter: addresses[${index}]`))
  return defineAuthenticator({
    schemes,
    authenticate({ headers, address }) {
      const subject = headers.get(header) ?? ''
      if (subject === '') return undefined
      if (address === undefined || !isWithin(address, ranges)) return { rejected: `${header} from an address that is not listed` }
      const tenant = tenantHeader === undefined ? '' : (headers.get(tenantHeader) ?? '')
      if (subject.includes(',') || tenant.includes(',')) return { rejected: `${header} with a comma, as of two headers` }
      return { subject, tenant }
    },
  })
}

function parseRange(text: string, where: string): Range {
  const range = typeof text === 'string' ? read(text) : undefined
  if (range === undefined) throw new TypeError(`${where} must be an address or a CIDR range, such as 10.0.0.7 or 10.0.0.0/24`)
  if (range[1] === 0) throw new TypeError(`${where} must not be every address: anybody could name any subject`)
  return range
}

/** Four numbers or IPv6: what else was an address once, as 10.1, is more probably a slip. */
function read(text: string): Range | undefined {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) return unmapped(ipaddr.parseCIDR(text))
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128] as Range
}

/** A range of IPv4-mapped addresses is one of IPv4: clients are compared as what they are. */
function unmapped([address, bits]: Range): Range {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
  return isMapped ? [address.toIPv4Address(), bits - 96] : ([address, bits] as Range)
}

/** An IPv4 client of a socket that listens on both has an IPv4-mapped address (RFC 4291 §2.5.5.2). */
function isWithin(text: string, ranges: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range))
}
