package io.penstock.acme;

import io.penstock.part.CertificateIssuer;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.PollableResource;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeLazyLoadingException;
import org.shredzone.acme4j.exception.AcmeProtocolException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One order of a certificate at an authority (RFC 8555 section 7.4). The order begins with the account at the authority, and ends with the
 * signed certificate chain.
 *
 * <p>Thread: one thread, which blocks while it waits for the network. An interrupt ends the order. While the order runs, it owns the
 * answers to the authority's challenges.
 */
final class CertificateOrder {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateOrder.class);

    private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(30);
    private static final Set<Status> AUTHORIZED =
            EnumSet.of(Status.VALID, Status.INVALID, Status.DEACTIVATED, Status.EXPIRED, Status.REVOKED);
    private static final Set<Status> PROVED = EnumSet.of(Status.READY, Status.VALID, Status.INVALID);
    private static final Set<Status> SIGNED = EnumSet.of(Status.VALID, Status.INVALID);

    private final CertificateIssuer.Settings settings;
    private final CertificateIssuer.Receiver receiver;
    private final KeptFiles files;
    private final String kind;
    private final Time time;

    /** The actions that close the open challenges. */
    private final List<Runnable> answers = new ArrayList<>();

    /**
     * A signed certificate.
     *
     * @param certificate the certificate, without its chain
     * @param pem the certificate, its chain and its new private key in PEM
     */
    record Signed(X509Certificate certificate, String pem) {
        /** Does not print the key. */
        @Override
        public String toString() {
            return "Signed[" + certificate.getSubjectX500Principal() + "]";
        }
    }

    /** @param kind the ACME name of the challenge type, such as {@code http-01} */
    CertificateOrder(
            CertificateIssuer.Settings settings,
            CertificateIssuer.Receiver receiver,
            KeptFiles files,
            String kind,
            Time time) {
        this.settings = settings;
        this.receiver = receiver;
        this.files = files;
        this.kind = kind;
        this.time = time;
    }

    /**
     * Orders the certificate, with a new private key.
     *
     * @throws OrderException if the authority refuses the order, or cannot be reached
     * @throws IOException if the key of the account cannot be used
     */
    Signed obtain() throws OrderException, IOException, GeneralSecurityException, InterruptedException {
        try {
            Order order = login().newOrder().domains(settings.names()).create();
            prove(order);
            KeyPair keys = KeptFiles.newKeys();
            if (order.getStatus() != Status.READY) {
                requireStatus(order, await(order, PROVED), PROVED);
            }
            order.execute(SigningRequest.of(keys, settings.names()));
            requireStatus(order, await(order, SIGNED), SIGNED);
            return signed(order.getCertificate().getCertificateChain(), keys);
        } catch (AcmeException e) {
            throw OrderException.of(e);
        } catch (AcmeLazyLoadingException e) {
            throw e.getCause() instanceof AcmeException cause ? OrderException.of(cause) : OrderException.of(e);
        } catch (AcmeProtocolException | IllegalStateException | IllegalArgumentException e) {
            throw OrderException.of(e);
        } finally {
            answers.forEach(Runnable::run);
        }
    }

    private Login login() throws AcmeException, IOException, GeneralSecurityException {
        Session session = new Session(settings.directory(), new BoundedConnection.Provider());
        session.setLocale(Locale.ENGLISH); // the language of the authority's error messages
        session.networkSettings().setTimeout(NETWORK_TIMEOUT);
        session.networkSettings().setProxySelector(ProxySelector.getDefault());
        if (!files.hasAccount()) {
            Optional<URI> terms = session.getMetadata().getTermsOfService();
            LOG.info(
                    "A new account with {}. By setting acme the operator agrees to its terms of service: {}",
                    settings.directory(),
                    terms.map(URI::toString).orElse("none are given"));
        }
        // If the authority already has an account for this key, it returns this account (RFC 8555 section 7.3.1).
        AccountBuilder account = new AccountBuilder().agreeToTermsOfService().useKeyPair(files.account());
        if (settings.email() != null) {
            account.addEmail(settings.email());
        }
        CertificateIssuer.Binding binding = settings.binding();
        if (binding != null) {
            account.withKeyIdentifier(binding.id(), binding.key());
        }
        return account.createLogin(session);
    }

    // ---- proofs

    private void prove(Order order) throws AcmeException, OrderException, IOException, InterruptedException {
        Map<String, Authorization> open = new LinkedHashMap<>();
        for (Authorization authorization : order.getAuthorizations()) {
            // If the authorization has another status, the host needs no new proof.
            if (authorization.getStatus() == Status.PENDING) {
                String host = authorization.getIdentifier().getDomain();
                answer(host, authorization).trigger();
                open.put(host, authorization);
            }
        }
        List<String> problems = new ArrayList<>();
        for (Map.Entry<String, Authorization> entry : open.entrySet()) {
            Status status = await(entry.getValue(), AUTHORIZED);
            if (status != Status.VALID) {
                problems.add(entry.getKey() + ": " + kind + ": " + reason(entry.getValue()));
            }
        }
        if (!problems.isEmpty()) {
            throw new OrderException(String.join("; ", problems));
        }
    }

    /** Finds the challenge of the requested type, and opens it. After this call the server answers the challenge. */
    private Challenge answer(String host, Authorization authorization) throws OrderException, IOException {
        Challenge challenge = authorization.getChallenges().stream()
                .filter(offered -> offered.getType().equals(kind))
                .findFirst()
                .orElseThrow(() -> new OrderException(host + ": the authority does not offer " + kind));
        if (challenge instanceof Http01Challenge http) {
            answers.add(() -> receiver.httpChallenges().remove(http.getToken()));
            receiver.httpChallenges().put(http.getToken(), http.getAuthorization());
        } else if (challenge instanceof TlsAlpn01Challenge tls) {
            answers.add(() -> receiver.closeTlsChallenge(host));
            receiver.openTlsChallenge(host, tls.getAuthorization());
        } else {
            throw new OrderException(host + ": this server cannot answer " + kind);
        }
        return challenge;
    }

    private String reason(Authorization authorization) {
        return authorization.getChallenges().stream()
                .filter(challenge -> challenge.getType().equals(kind))
                .flatMap(challenge -> challenge.getError().stream())
                .map(OrderException::text)
                .findFirst()
                .orElse("the authority gives no reason (" + authorization.getStatus() + ")");
    }

    // ---- waits

    /**
     * Waits until the resource has one of the states in {@code ends}. This method has no time limit. If the order takes too long, another
     * thread interrupts this thread.
     */
    private Status await(PollableResource resource, Set<Status> ends) throws AcmeException, InterruptedException {
        while (true) {
            Instant now = time.instant();
            Optional<Instant> next = resource.fetch();
            Status status = resource.getStatus();
            if (ends.contains(status)) {
                return status;
            }
            Duration wait = next.map(wanted -> Duration.between(now, wanted)).orElse(POLL);
            time.sleep(clamp(wait));
        }
    }

    private static Duration clamp(Duration wait) {
        if (wait.compareTo(POLL) < 0) {
            return POLL;
        }
        return wait.compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : wait;
    }

    private static void requireStatus(Order order, Status status, Set<Status> ends) throws OrderException {
        if (status == Status.INVALID || !ends.contains(status)) {
            Optional<Problem> problem = order.getError();
            throw new OrderException("the order has failed: "
                    + problem.map(OrderException::text).orElse("the authority gives no reason"));
        }
    }

    // ---- the result

    private Signed signed(List<X509Certificate> chain, KeyPair keys)
            throws OrderException, CertificateEncodingException {
        if (chain.isEmpty() || !chain.get(0).getPublicKey().equals(keys.getPublic())) {
            throw new OrderException("the authority has signed a different key");
        }
        if (!Validity.covers(chain.get(0), settings.names())) {
            throw new OrderException("the authority has signed different names");
        }
        StringBuilder pem = new StringBuilder();
        for (X509Certificate certificate : chain) {
            pem.append(Pem.block(Pem.CERTIFICATE, certificate.getEncoded()));
        }
        pem.append(Pem.block(Pem.PRIVATE_KEY, keys.getPrivate().getEncoded()));
        return new Signed(chain.get(0), pem.toString());
    }
}
