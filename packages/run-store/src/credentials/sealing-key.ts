import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** What NIST SP 800-38D recommends for GCM: a nonce of 96 random bits, a tag of 128. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a sealed value belongs. It is bound to it, so that a row that was moved cannot be opened. */
export interface SealedPlace {
  readonly workspaceId: string;
  readonly name: string;
}

/** The key that credentials are sealed with; it is never stored. */
export class SealingKey {
  /** Tells keys apart without telling them. */
  readonly id: string;
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
    this.id = createHash('sha256').update('pawl sealing key').update(key).digest('hex').slice(0, 16);
  }

  /**
   * @param text 32 bytes in hex or base64
   * @throws {TypeError} with a sentence that does not repeat the text (V13)
   */
  static parse(text: string): SealingKey {
    const isHex = /^[0-9a-fA-F]{64}$/.test(text);
    const key = Buffer.from(text, isHex ? 'hex' : 'base64');
    const isExact = isHex || (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && key.length === KEY_BYTES);
    if (!isExact)
      throw new TypeError(
        'PAWL_SECRET_KEY is not a key: expected 32 random bytes in hex or base64, for instance what `openssl rand -hex 32` prints.',
      );
    return new SealingKey(key);
  }

  /** A value that only this key opens, and only at its place: nonce, tag, ciphertext. */
  seal(value: string, place: SealedPlace): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(boundTo(place));
    const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** The value again; undefined when it was sealed with another key, for another place, or was changed. */
  open(sealed: Buffer, place: SealedPlace): string | undefined {
    try {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(boundTo(place))
        .setAuthTag(tag);
      const rest = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

const boundTo = ({ workspaceId, name }: SealedPlace): Buffer => Buffer.from(`${workspaceId}/${name}`, 'utf8');
