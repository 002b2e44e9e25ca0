package io.penstock.certificates;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.address.HostTable;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Switch;
import io.penstock.limits.Tls;
import io.penstock.limits.Tls.ClientAuth;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of a server. This class makes the TLS engine of each connection, and reloads files that have changed. New connections
 * use the new certificates; open connections are not affected. If changed files cannot be used, the server continues with the former
 * certificates. The problem is then logged once for each change of the files. {@link #isOutdated} is true until the files can be used.
 *
 * <p>If the server orders its certificate from an authority, the file of the certificate can be missing or damaged at first. Until the file
 * can be used, clients get a self-signed certificate that this class makes.
 *
 * <p>Thread: any. {@link #look}, {@link #reload} and {@link #readAgain} read files, so a reactor must not call these three methods. The
 * other methods do not block.
 */
public final class ServerCertificates {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCertificates.class);

    /** The server logs a warning if a certificate expires within this time. */
    private static final Duration SOON = Duration.ofDays(14);

    private static final Predicate<String> ANY_HOST = host -> true;

    private final Tls tls;
    private final HostTable<ClientAuth> authOfHosts;
    private final TlsProvider provider;
    private final InstantSource clock;
    private final Logger log;
    private final @Nullable OcspStapling stapling;

    private volatile TlsSetup setup;
    private volatile boolean outdated;

    /** Whether the certificate is ordered from an authority, and its file cannot be used yet. */
    private volatile boolean pending;

    /** The version ({@link FileContents#version}) of the files in use. */
    @GuardedBy("this")
    private String used;

    /** The version of the files at the last attempt to load them, even if the attempt failed. */
    @GuardedBy("this")
    private String tried;

    /** The version of the files when they were last read. */
    @GuardedBy("this")
    private String seen;

    @GuardedBy("this")
    private Validity reported = Validity.LONG;

    /** The result of a reload. */
    public enum Reload {
        /** New connections get the new certificates. */
        DONE,
        /** The files have not changed. */
        UNCHANGED,
        /** The files cannot be used. The former certificates stay in use. */
        FAILED
    }

    /** The remaining time until a certificate expires. */
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
        this.stapling = tls.ocspStapling() == Switch.ON ? new OcspStapling(clock, log) : null;
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
     * Opens the certificates like {@link #open(Tls)}. In addition, this method supports a certificate that the server orders from an
     * authority.
     *
     * @param ordered the hosts of the ordered certificate; empty if no certificate is ordered. If the list is not empty, {@code tls} names
     *     only the file of the ordered certificate
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
                TlsSetup.of(tls, provider, identities, Authorities.read(tls, files)),
                files.version(),
                pending);
        certificates.opened();
        return certificates;
    }

    /** Reads the identities from the file of an ordered certificate. Returns null if the file is missing or cannot be used. */
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
            log.warn("The certificate is self-signed, and new at each start. It is for programs on this machine only;"
                    + " other clients cannot verify it");
        }
        if (pending) {
            log.warn(
                    "Clients get a self-signed certificate until the authority has signed the one for {}{}",
                    setup.identities().get(0).names(),
                    HelpPage.ACME.more());
            return;
        }
        report();
    }

    /**
     * Makes an engine in server mode for a new connection.
     *
     * @param serverName the host name that the client has sent. The rule of this host decides whether the server asks the client for a
     *     certificate. Null if the client has sent no host name, or if {@link #nameDecides} is false
     */
    public SSLEngine engine(@Nullable String serverName) {
        return setup.engine(auth(serverName));
    }

    /**
     * Whether some hosts have their own rule for client certificates. If so, the server name in the handshake decides which engine a client
     * gets.
     */
    public boolean nameDecides() {
        return !authOfHosts.isEmpty();
    }

    /**
     * Returns the rule for client certificates of a host. If {@code host} is null or has no rule of its own, the result is the default
     * rule.
     */
    private ClientAuth auth(@Nullable String host) {
        ClientAuth own = host == null ? null : authOfHosts.find(host);
        return own == null ? tls.clientAuth() : own;
    }

    /**
     * Reads the files, and uses the new contents if the files have changed since they were last loaded. A program can change a file in
     * several writes. So the contents are used only if two successive calls find the same contents.
     */
    public void look() {
        FileContents files = FileContents.read(Identities.files(tls));
        synchronized (this) {
            boolean settled = files.version().equals(seen);
            seen = files.version();
            // The former files can be back after a failed readAgain().
            boolean restored = outdated && files.version().equals(used);
            if (settled && (restored || !files.version().equals(tried))) {
                load(files);
            }
            reportValidity();
        }
    }

    /** Reads the files, and immediately uses the new contents if the files have changed. */
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
            log.error(
                    "Certificates are not replaced, and the former ones stay in use: {}{}",
                    e.getMessage(),
                    HelpPage.RENEWAL.more());
            return Reload.FAILED;
        }
        return Reload.DONE;
    }

    @GuardedBy("this")
    private TlsSetup made(FileContents files) throws TlsSetupException {
        boolean own = isStillPending(files) || tls.selfSigned() == Switch.ON;
        try {
            List<Identity> identities = own ? setup.identities() : Identities.read(tls, files);
            return TlsSetup.of(tls, provider, identities, Authorities.read(tls, files));
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
     * @param names the hosts for which the certificate is valid, as text
     * @param expires the earliest time at which a certificate of the chain expires
     */
    public record InUse(String names, Instant expires) {}

    /** The certificates that new connections use. */
    public List<InUse> inUse() {
        return setup.identities().stream()
                .map(identity -> new InUse(identity.names().toString(), identity.expires()))
                .toList();
    }

    /** Certificates that have been read and can replace the certificates in use. */
    public final class Renewal {
        private final FileContents files;
        private final @Nullable TlsSetup next; // null if the files have not changed

        private Renewal(FileContents files, @Nullable TlsSetup next) {
            this.files = files;
            this.next = next;
        }

        /** Whether the files have changed. */
        public boolean isChange() {
            return next != null;
        }

        /** Uses the certificates for new connections. */
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
     * Reads and checks the files. The certificates in use do not change before {@link Renewal#apply}.
     *
     * @throws TlsSetupException if the files cannot be used. In this case the certificates in use do not change
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
        if (stapling != null) {
            stapling.use(setup.identities());
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
            case SHORT -> log.warn("A certificate expires soon: it is valid until {}", date(expires()));
            case OVER -> log.error("A certificate expired on {}: clients reject it", date(expires()));
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

    /** The earliest time at which a certificate in use, or a certificate of its chain, expires. */
    public Instant expires() {
        return setup.expires();
    }

    /** Whether the ordered certificate cannot be used yet. During this time clients get a self-signed certificate. */
    public boolean isPending() {
        return pending;
    }

    /** The first certificate in use; null while {@link #isPending} is true. */
    public @Nullable X509Certificate certificate() {
        return pending ? null : setup.identities().get(0).certificate();
    }

    /** Whether handshakes contain answers of OCSP responders. */
    public boolean isStapling() {
        return stapling != null;
    }

    /**
     * Asks the OCSP responders whose next answer is due. This call does not wait for the answers.
     *
     * @param thread runs a task on a thread of its own. The task waits for the answers
     */
    public void askResponders(Consumer<Runnable> thread) {
        if (stapling != null) {
            stapling.look(thread);
        }
    }

    /** The number of certificates whose handshakes should contain the answer of an OCSP responder, and do not. */
    public int missingStaples() {
        return stapling == null ? 0 : stapling.missing();
    }

    /** Whether the files have changed and cannot be used. During this time the former certificates stay in use. */
    public boolean isOutdated() {
        return outdated;
    }

    /**
     * Returns a test that decides for which hosts a client may send requests over its connection. If the client has sent a host name in the
     * handshake (SNI), the certificate of the connection must cover the host. If the client has sent no host name, or if the certificate is
     * a self-signed certificate of this class or has no names, all hosts are accepted. In all cases the client certificate rule of the host
     * must be the rule that the handshake used. The engine contains the rule of the handshake.
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
            // No client can verify a certificate without names, so none takes its connection for that of another host.
            boolean nameless = names.equals(CertificateNames.NONE) && session.getLocalCertificates() != null;
            all = nameless ? ANY_HOST : host -> host.isEmpty() || names.covers(host);
        }
        if (nameDecides()) {
            ClientAuth ofHandshake = authOf(engine);
            all = all.and(host -> auth(host) == ofHandshake);
        }
        return all == ANY_HOST ? ANY_HOST : new HostsOfConnection(all);
    }

    private static ClientAuth authOf(SSLEngine engine) {
        if (engine.getNeedClientAuth()) {
            return ClientAuth.NEED;
        }
        return engine.getWantClientAuth() ? ClientAuth.WANT : ClientAuth.NONE;
    }

    /**
     * Returns the names of the certificate that the server has sent to a client. If these names do not cover the host of a request, the
     * server answers with status 421 (RFC 9110 section 15.5.20). If the handshake resumed an earlier session, the certificate is the one of
     * the earlier connection.
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
            // The certificate is not in use any more. It was replaced after the handshake.
            return CertificateNames.of(own);
        } catch (CertificateParsingException e) {
            throw new IllegalStateException("the names of a certificate in use cannot be read", e);
        }
    }
}
