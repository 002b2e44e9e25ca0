package io.penstock.certificates;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.ClientAuth;
import io.penstock.limits.HostTable;
import io.penstock.limits.Switch;
import io.penstock.limits.Tls;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Predicate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of a server. Makes the TLS engine of each connection, and reloads changed files: new connections get the new
 * certificates, and open connections keep theirs. If the files cannot be used, the certificates in use stay: the log names the problem once
 * for each change of the files, and {@link #isOutdated} is true until the files can be used.
 *
 * <p>The file of a certificate that is ordered from an authority may be missing or damaged. Until that file can be used, clients get a
 * self-signed certificate that this object has made.
 *
 * <p>Thread: {@link #look}, {@link #reload} and {@link #readAgain}: any thread that may wait for a disk. The other methods: any thread;
 * they do not wait.
 */
public final class ServerCertificates {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCertificates.class);

    /** The log warns this long before a certificate expires. */
    private static final Duration SOON = Duration.ofDays(14);

    private static final Predicate<String> ANY_HOST = host -> true;

    private final Tls tls;
    private final HostTable<ClientAuth> authOfHosts;
    private final TlsProvider provider;
    private final InstantSource clock;
    private final Logger log;

    private volatile TlsSetup setup;
    private volatile boolean outdated;

    /** Whether the file of an ordered certificate could not be used yet. */
    private volatile boolean pending;

    /** The version of the files that is in use. */
    @GuardedBy("this")
    private String used;

    /** The version that was last loaded, successfully or not. */
    @GuardedBy("this")
    private String tried;

    /** The version that the last look found. */
    @GuardedBy("this")
    private String seen;

    @GuardedBy("this")
    private Validity reported = Validity.LONG;

    /** The result of a reload. */
    public enum Reload {
        /** New connections get the new certificates. */
        DONE,
        /** The files are the same as those in use. */
        UNCHANGED,
        /** The files cannot be used; the former certificates stay in use. */
        FAILED
    }

    /** How long the certificates are still valid. */
    private enum Validity {
        LONG,
        SHORT,
        OVER
    }

    private ServerCertificates(
            Tls tls,
            TlsProvider provider,
            InstantSource clock,
            Logger log,
            TlsSetup setup,
            String version,
            boolean pending) {
        this.tls = tls;
        this.authOfHosts = new HostTable<>(tls.clientAuthOfHosts());
        this.provider = provider;
        this.clock = clock;
        this.log = log;
        this.setup = setup;
        this.pending = pending;
        this.used = version;
        this.tried = version;
        this.seen = version;
    }

    /** @throws TlsSetupException if a file or a rule cannot be used */
    public static ServerCertificates open(Tls tls) throws TlsSetupException {
        return open(tls, List.of());
    }

    /**
     * As {@link #open(Tls)}, for a certificate that may be ordered from an authority.
     *
     * @param ordered the hosts of that certificate; empty if none is ordered. If there are any, {@code tls} names only the file of that
     * certificate
     */
    public static ServerCertificates open(Tls tls, List<String> ordered) throws TlsSetupException {
        return open(tls, ordered, InstantSource.system(), LOG);
    }

    static ServerCertificates open(Tls tls, InstantSource clock, Logger log) throws TlsSetupException {
        return open(tls, List.of(), clock, log);
    }

    static ServerCertificates open(Tls tls, List<String> ordered, InstantSource clock, Logger log)
            throws TlsSetupException {
        TlsProvider provider = TlsProvider.named(tls.provider());
        FileContents files = FileContents.read(Identities.files(tls));
        List<Identity> identities;
        boolean pending = false;
        if (!ordered.isEmpty()) {
            List<Identity> kept = kept(tls, files, log);
            pending = kept == null;
            identities = kept == null ? List.of(SelfSigned.make(ordered, clock.instant())) : kept;
        } else if (tls.selfSigned() == Switch.ON) {
            identities = List.of(SelfSigned.make(clock.instant()));
        } else {
            identities = Identities.read(tls, files);
        }
        ServerCertificates certificates = new ServerCertificates(
                tls,
                provider,
                clock,
                log,
                TlsSetup.of(tls, provider, identities, ClientAuthorities.read(tls, files)),
                files.version(),
                pending);
        certificates.opened();
        return certificates;
    }

    /** The identities in the file of an ordered certificate; null if the file is missing or cannot be used. */
    private static @Nullable List<Identity> kept(Tls tls, FileContents files, Logger log) {
        if (files.isMissing(tls.certificates().get(0))) {
            return null;
        }
        try {
            return Identities.read(tls, files);
        } catch (TlsSetupException e) {
            log.error("The stored certificate cannot be used; a new one is ordered: {}", e.getMessage());
            return null;
        }
    }

    private synchronized void opened() {
        if (tls.selfSigned() == Switch.ON) {
            log.warn("The certificate is self-signed, for programs on this machine only, and new at each start;"
                    + " others cannot know whose it is");
        }
        if (pending) {
            log.warn(
                    "Clients get a self-signed certificate until the authority has signed the one for {}",
                    setup.identities().get(0).names());
            return;
        }
        report();
    }

    /**
     * An engine for a new connection of a client, in server mode.
     *
     * @param serverName the host whose rule decides whether the client is asked for a certificate; null if the client has named no host, or
     * if the name does not matter
     */
    public SSLEngine engine(@Nullable String serverName) {
        return setup.engine(auth(serverName));
    }

    /** Whether the server name in a client's handshake decides whether that client is asked for a certificate. */
    public boolean nameDecides() {
        return !authOfHosts.isEmpty();
    }

    /** The rule of a host; null for the default host. */
    private ClientAuth auth(@Nullable String host) {
        ClientAuth own = host == null ? null : authOfHosts.find(host);
        return own == null ? tls.clientAuth() : own;
    }

    /**
     * Reads the files. Uses them if they have changed and two looks in a row have found the same contents, since a change may take several
     * writes.
     */
    public void look() {
        FileContents files = FileContents.read(Identities.files(tls));
        synchronized (this) {
            boolean settled = files.version().equals(seen);
            seen = files.version();
            if (settled && !files.version().equals(tried)) {
                load(files);
            }
            reportValidity();
        }
    }

    /** Reads the files at once, and uses them if they have changed. */
    @CanIgnoreReturnValue
    public Reload reload() {
        FileContents files = FileContents.read(Identities.files(tls));
        synchronized (this) {
            seen = files.version();
            return load(files);
        }
    }

    @GuardedBy("this")
    private Reload load(FileContents files) {
        tried = files.version();
        if (files.version().equals(used)) {
            outdated = false;
            log.info("The files of certificates and keys have not changed");
            return Reload.UNCHANGED;
        }
        try {
            use(files, made(files));
        } catch (TlsSetupException e) {
            log.error("Certificates are not replaced, and the former ones stay in use: {}", e.getMessage());
            return Reload.FAILED;
        }
        return Reload.DONE;
    }

    @GuardedBy("this")
    private TlsSetup made(FileContents files) throws TlsSetupException {
        boolean own = isStillPending(files) || tls.selfSigned() == Switch.ON;
        try {
            List<Identity> identities = own ? setup.identities() : Identities.read(tls, files);
            return TlsSetup.of(tls, provider, identities, ClientAuthorities.read(tls, files));
        } catch (TlsSetupException e) {
            outdated = true;
            throw e;
        }
    }

    @GuardedBy("this")
    private boolean isStillPending(FileContents files) {
        return pending && files.isMissing(tls.certificates().get(0));
    }

    @GuardedBy("this")
    private void use(FileContents files, TlsSetup next) {
        pending = isStillPending(files);
        setup = next;
        used = files.version();
        outdated = false;
        if (!pending) {
            report();
        }
    }

    /**
     * A certificate in use.
     *
     * @param names the hosts for which it is valid, as text
     * @param expires when the first certificate of its chain expires
     */
    public record InUse(String names, Instant expires) {}

    /** The certificates of new connections. */
    public List<InUse> inUse() {
        return setup.identities().stream()
                .map(identity -> new InUse(identity.names().toString(), identity.expires()))
                .toList();
    }

    /** Certificates that have been read but are not in use yet. */
    public final class Renewal {
        private final FileContents files;
        private final @Nullable TlsSetup next; // null if the files are those in use

        private Renewal(FileContents files, @Nullable TlsSetup next) {
            this.files = files;
            this.next = next;
        }

        /** Whether the files have changed. */
        public boolean isChange() {
            return next != null;
        }

        /** Uses them for new connections. */
        public void apply() {
            synchronized (ServerCertificates.this) {
                seen = files.version();
                tried = files.version();
                outdated = false;
                if (next != null) {
                    use(files, next);
                }
            }
        }
    }

    /**
     * Reads the files at once, without using them.
     *
     * @throws TlsSetupException if they cannot be used; then nothing has changed
     */
    public Renewal readAgain() throws TlsSetupException {
        FileContents files = FileContents.read(Identities.files(tls));
        synchronized (this) {
            return new Renewal(files, files.version().equals(used) ? null : made(files));
        }
    }

    @GuardedBy("this")
    private void report() {
        for (Identity identity : setup.identities()) {
            log.info("Certificate for {}, valid until {}", identity, date(identity.expires()));
            if (identity.unused() > 0) {
                log.warn(
                        "{} has more certificates than the chain of the first one; {} of them are not sent",
                        identity.source(),
                        identity.unused());
            }
            if (identity.names().isEmpty()) {
                log.warn(
                        "The certificate of {} has no subject alternative name: clients accept it for no host",
                        identity.source());
            }
            if (identity.certificate().getNotBefore().toInstant().isAfter(clock.instant())) {
                log.warn(
                        "The certificate of {} is not valid before {}",
                        identity.source(),
                        date(identity.certificate().getNotBefore().toInstant()));
            }
        }
        reported = Validity.LONG;
        reportValidity();
    }

    @GuardedBy("this")
    private void reportValidity() {
        if (pending) {
            return;
        }
        Validity now = validity();
        if (now == reported) {
            return;
        }
        reported = now;
        switch (now) {
            case LONG -> log.debug("The clock was set back: no certificate expires soon");
            case SHORT -> log.warn("A certificate is valid until {} only", date(expires()));
            case OVER -> log.error("A certificate has expired on {}: clients refuse it", date(expires()));
        }
    }

    private Validity validity() {
        Instant now = clock.instant();
        if (!expires().isAfter(now)) {
            return Validity.OVER;
        }
        return expires().isAfter(now.plus(SOON)) ? Validity.LONG : Validity.SHORT;
    }

    private static String date(Instant time) {
        return time.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }

    /** When the first certificate in use, or in a chain in use, expires. */
    public Instant expires() {
        return setup.expires();
    }

    /** Whether the ordered certificate is still missing, so that clients get one that was made here. */
    public boolean isPending() {
        return pending;
    }

    /** The first certificate in use if it comes from an authority or an operator; null if it was made here. */
    public @Nullable X509Certificate certificate() {
        return pending ? null : setup.identities().get(0).certificate();
    }

    /** Whether the files have changed but cannot be used, so that the former certificates stay in use. */
    public boolean isOutdated() {
        return outdated;
    }

    /**
     * The hosts for which a client may send requests over its connection. If the client has named a host in the handshake (SNI), these are
     * the hosts of its certificate; otherwise any host, as for the default host. A certificate that was made here proves no host to any
     * client, so it allows every host, too. From these hosts, only those remain that have the same rule for client certificates as this
     * handshake. The engine decides which rule that is, not the name that the client sent.
     *
     * @param engine an engine of this object, after its handshake
     */
    public Predicate<String> hosts(SSLEngine engine) {
        SSLSession session = engine.getSession();
        boolean named = session instanceof ExtendedSSLSession known
                && !known.getRequestedServerNames().isEmpty();
        Predicate<String> all = ANY_HOST;
        if (named && !pending && tls.selfSigned() == Switch.OFF) {
            CertificateNames names = served(session);
            all = host -> host.isEmpty() || names.covers(host);
        }
        if (nameDecides()) {
            ClientAuth met = met(engine);
            all = all.and(host -> auth(host) == met);
        }
        return all == ANY_HOST ? ANY_HOST : new HostsOfConnection(all);
    }

    private static ClientAuth met(SSLEngine engine) {
        if (engine.getNeedClientAuth()) {
            return ClientAuth.NEED;
        }
        return engine.getWantClientAuth() ? ClientAuth.WANT : ClientAuth.NONE;
    }

    /**
     * The names of the certificate that the server sent to a client. If they do not cover the host of a request, the connection was made
     * for another host (421, RFC 9110 section 15.5.20). A client that resumes a TLS session still has the certificate of the earlier
     * connection.
     *
     * @param session a session of an engine of this object, after its handshake
     */
    public CertificateNames served(SSLSession session) {
        Certificate[] chain = session.getLocalCertificates();
        if (chain == null || chain.length == 0 || !(chain[0] instanceof X509Certificate own)) {
            return CertificateNames.NONE;
        }
        for (Identity identity : setup.identities()) {
            if (identity.certificate().equals(own)) {
                return identity.names();
            }
        }
        try {
            return CertificateNames.of(own); // a certificate that has been replaced meanwhile
        } catch (CertificateParsingException e) {
            throw new IllegalStateException("a certificate was served whose names cannot be read", e);
        }
    }
}
