package io.penstock.certificates;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * OCSP stapling (RFC 6066 section 8): the server's handshakes contain a statement of the authority that the certificate is not revoked.
 * This class asks the responders of the authorities in advance, on a thread of its own. A handshake never waits: it gets the newest answer
 * in memory, or none.
 *
 * <p>The JDK alone would ask the responder during each handshake until there is an answer, up to five seconds, on one of the few threads for
 * handshakes. So the JDK asks {@link StapledAnswers} instead. The settings for this are system properties. The property that switches
 * stapling on is only set while a context is made, because each context reads it once.
 *
 * <p>Thread: any. Only the task of {@link #look} waits for responders.
 */
final class OcspStapling {
    private static final String SWITCH = "jdk.tls.server.enableStatusRequestExtension";
    private static final Map<String, String> RESPONDER = Map.of(
            "jdk.tls.stapling.responderURI", StapledAnswers.SCHEME + ":answers",
            "jdk.tls.stapling.responderOverride", "true",
            // Clients could send other extensions each time, and the JDK would not use what it has kept.
            "jdk.tls.stapling.ignoreExtensions", "true");

    private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    /** The time for which an answer is used that does not say when the next one comes. */
    private static final Duration UNLIMITED = Duration.ofHours(2);

    /** The answers of all servers in this process. The JDK does not say for which server it asks. */
    private static final Map<Ocsp.Id, Current> ANSWERS = new ConcurrentHashMap<>();

    private final InstantSource clock;
    private final Logger log;

    @GuardedBy("this")
    private List<Asked> certificates = List.of();

    @GuardedBy("this")
    private boolean asking;

    /** An answer that clients get until {@code until}. */
    private record Current(Ocsp.Answer answer, Instant until) {}

    /** A certificate for which a responder is asked. */
    private static final class Asked {
        private final Ocsp question;
        private Instant due = Instant.MIN;
        private Duration retry = FIRST_RETRY;
        private @Nullable String problem;

        private Asked(Ocsp question) {
            this.question = question;
        }
    }

    OcspStapling(InstantSource clock, Logger log) {
        this.clock = clock;
        this.log = log;
    }

    /**
     * Makes a context whose handshakes contain the answers of this class.
     *
     * @throws TlsSetupException if the JDK would not ask this class
     */
    static synchronized SSLContext context(TlsProvider provider) throws TlsSetupException, GeneralSecurityException {
        if (!provider.isJdk()) {
            throw refusal("needs the TLS of the JDK, but " + Key.TLS_PROVIDER.id() + " replaces it", null);
        }
        for (Map.Entry<String, String> entry : RESPONDER.entrySet()) {
            String set = System.getProperty(entry.getKey());
            if (set != null && !set.equals(entry.getValue())) {
                throw refusal(
                        "the system property " + entry.getKey() + " is set, too; the server sets it itself", null);
            }
        }
        if (System.getProperty(SWITCH) != null) {
            throw refusal("the system property " + SWITCH + " is set, too; the server sets it itself", null);
        }
        requireScheme();
        RESPONDER.forEach(System::setProperty);
        System.setProperty(SWITCH, "true");
        try {
            return provider.context();
        } finally {
            System.clearProperty(SWITCH);
        }
    }

    /**
     * Lets the JDK find {@link StapledAnswers}. It looks only in the class path and the module path. In an executable jar of Spring Boot, these
     * have nothing but Boot's launcher. Then the class becomes the factory of the process, which can have only one.
     */
    private static void requireScheme() throws TlsSetupException {
        URL any = answers();
        if (any == null) {
            try {
                URL.setURLStreamHandlerFactory(new StapledAnswers());
            } catch (Error e) { // the JDK's type for a second factory
                throw refusal(
                        "the program has set a URLStreamHandlerFactory, so the server's classes must be on the class path of"
                                + " the process; extract an executable jar of Spring Boot",
                        e);
            }
            any = answers();
        }
        try {
            if (any == null || !(any.openConnection() instanceof StapledAnswers.Exchange)) {
                throw refusal("another copy of the server's classes in this process uses it; only one can", null);
            }
        } catch (IOException e) {
            throw refusal("URLs of " + StapledAnswers.SCHEME + " cannot be opened", e);
        }
    }

    /** The URL of the answers; null if the JDK does not know its scheme yet. */
    private static @Nullable URL answers() {
        try {
            return URI.create(StapledAnswers.SCHEME + ":answers").toURL();
        } catch (MalformedURLException unknownScheme) {
            return null;
        }
    }

    private static TlsSetupException refusal(String problem, @Nullable Throwable cause) {
        return new TlsSetupException(Key.TLS_OCSP_STAPLING.id() + ": " + problem + HelpPage.OCSP.more(), cause);
    }

    /** Asks for these certificates from now on. Logs the certificates of servers for which nobody can be asked. */
    synchronized void use(List<Identity> identities) {
        List<Asked> next = new ArrayList<>();
        for (Identity identity : identities) {
            String problem = add(identity, next);
            if (problem != null) {
                log.warn(
                        "Clients get no OCSP answer for the certificate of {}: {}{}",
                        identity.source(),
                        problem,
                        HelpPage.OCSP.more());
            }
        }
        certificates = List.copyOf(next);
    }

    /** Adds all certificates of a chain that name a responder. Returns the problem of the first one, or null. */
    private @Nullable String add(Identity identity, List<Asked> to) {
        List<X509Certificate> chain = identity.chain();
        if (chain.size() == 1) {
            return "the file has no certificate of the issuer";
        }
        String problem = null;
        for (int i = 0; i + 1 < chain.size(); i++) {
            String own = "it names no OCSP responder (authority information access)";
            try {
                Ocsp question = Ocsp.of(chain.get(i), chain.get(i + 1));
                if (question != null) {
                    own = null;
                    to.add(new Asked(question));
                }
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                own = "its responder cannot be read: " + e.getMessage();
            }
            problem = i == 0 ? own : problem;
        }
        return problem;
    }

    /**
     * Asks the responders whose next answer is due, on another thread. Does nothing while that thread runs, or if no answer is due.
     *
     * @param thread runs the task on a thread of its own. The task waits for responders
     */
    void look(Consumer<Runnable> thread) {
        Instant now = clock.instant();
        List<Asked> due = new ArrayList<>();
        synchronized (this) {
            if (asking) {
                return;
            }
            certificates.stream().filter(asked -> isDue(asked.due, now)).forEach(due::add);
            if (due.isEmpty()) {
                return;
            }
            asking = true;
        }
        boolean started = false;
        try {
            thread.accept(() -> ask(due));
            started = true;
        } finally {
            if (!started) {
                over();
            }
        }
    }

    /** Whether it is time for the next question. A later time than the longest pause is of a clock that was set back since. */
    static boolean isDue(Instant due, Instant now) {
        return !due.isAfter(now) || due.isAfter(now.plus(LONGEST_PAUSE));
    }

    private void ask(List<Asked> due) {
        try {
            due.forEach(this::ask);
        } finally {
            over();
        }
    }

    private synchronized void over() {
        asking = false;
    }

    private void ask(Asked asked) {
        try {
            answered(asked, asked.question.ask());
        } catch (CertPathValidatorException e) {
            // Clients would not accept this answer. The former one is as good as before, unless the certificate is
            // revoked.
            boolean revoked = e.getReason() == CertPathValidatorException.BasicReason.REVOKED;
            if (revoked) {
                ANSWERS.remove(asked.question.id());
            }
            failed(asked, revoked ? "the certificate is revoked" : String.valueOf(e.getMessage()));
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            failed(asked, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private synchronized void answered(Asked asked, Ocsp.Answer answer) {
        Instant now = clock.instant();
        Instant next = answer.until();
        Duration half =
                next == null ? LONGEST_PAUSE : Duration.between(now, next).dividedBy(2);
        Duration pause = half.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : half;
        ANSWERS.values().removeIf(old -> !old.until().isAfter(now));
        ANSWERS.put(asked.question.id(), new Current(answer, next == null ? now.plus(UNLIMITED) : next));
        asked.due = now.plus(pause.compareTo(FIRST_RETRY) < 0 ? FIRST_RETRY : pause);
        asked.retry = FIRST_RETRY;
        if (asked.problem != null) {
            log.info("Clients get OCSP answers again for the certificate of {}", asked.question);
            asked.problem = null;
        }
    }

    private synchronized void failed(Asked asked, String problem) {
        asked.due = clock.instant().plus(asked.retry);
        Duration doubled = asked.retry.multipliedBy(2);
        asked.retry = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
        if (!problem.equals(asked.problem)) {
            asked.problem = problem;
            log.warn(
                    "No new OCSP answer of {} for the certificate of {}: {}{}",
                    asked.question.responder(),
                    asked.question,
                    problem,
                    HelpPage.OCSP.more());
        }
    }

    /** Returns the answer for a certificate; null if there is none that clients would accept. */
    static @Nullable ByteBuffer current(Ocsp.Id id) {
        Current found = ANSWERS.get(id);
        return found == null || !found.until().isAfter(Instant.now())
                ? null
                : found.answer().bytes().duplicate();
    }

    /** The number of certificates in use that name a responder, and for which there is no current answer. */
    synchronized int missing() {
        Instant now = clock.instant();
        return (int) certificates.stream()
                .filter(asked -> {
                    Current found = ANSWERS.get(asked.question.id());
                    return found == null || !found.until().isAfter(now);
                })
                .count();
    }
}
