import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** A private certificate authority, made with the `openssl` command. */
export class CertificateAuthority {
  private constructor(
    private readonly folder: string,
    private readonly name: string,
    private readonly own: Certificate,
  ) {}

  static create(folder: string, name: string): CertificateAuthority {
    const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
    openssl('req', '-x509', ...NEW_KEY, '-days', '2', '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', certFile);
    return new CertificateAuthority(folder, name, certificateOf(certFile, keyFile));
  }

  get certFile(): string {
    return this.own.certFile;
  }

  get cert(): string {
    return this.own.cert;
  }

  /** @param subject a host name, or the name of a client */
  issue(subject: string): Certificate {
    const base = join(this.folder, `${this.name}-${subject}-${Math.random().toString(36).slice(2)}`);
    const [certFile, keyFile, requestFile, extensions] = ['.pem', '.key', '.csr', '.ext'].map((end) => base + end);
    openssl('req', ...NEW_KEY, '-subj', `/CN=${subject}`, '-keyout', keyFile!, '-out', requestFile!);
    writeFileSync(extensions!, `subjectAltName=DNS:${subject},IP:127.0.0.1\n`);
    const ca = ['-CA', this.own.certFile, '-CAkey', this.own.keyFile, '-CAcreateserial', '-extfile', extensions!];
    openssl('x509', '-req', '-in', requestFile!, ...ca, '-days', '2', '-out', certFile!);
    return certificateOf(certFile!, keyFile!);
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

const certificateOf = (certFile: string, keyFile: string): Certificate => ({
  certFile,
  keyFile,
  cert: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
});

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
