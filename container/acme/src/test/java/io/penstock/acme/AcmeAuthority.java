package io.penstock.acme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.jose4j.json.JsonUtil;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * An ACME authority (RFC 8555) for tests. Like a real authority, it checks the nonce, the signature and the URL of each request. It also
 * checks the signing requests. It connects to the server to check the proof of each challenge. A test can replace the response of a
 * resource.
 *
 * <p>The threads of the HTTP server serve the requests. {@link #close} ends this HTTP server and its threads.
 */
public final class AcmeAuthority implements AutoCloseable {
    public static final String TERMS = "https://authority.example/terms";

    private static final String ERROR = "urn:ietf:params:acme:error:";

    /** Sends a response that replaces the usual response to a request. */
    public interface Event {
        void happen(AcmeAuthority authority, HttpExchange exchange) throws IOException;
    }

    /** Checks the proof of a challenge. Returns the error, or null if the proof is correct. */
    public interface Proof {
        @Nullable
        String wrong(String host, String token, String keyAuthorization);
    }

    private record Account(String url, PublicKey key, String thumbprint, Map<String, Object> content) {}

    private static final class Authorization {
        final String host;
        final String token = random();
        String status = "pending";
        String kind = "";

        @Nullable
        String problem;

        Authorization(String host) {
            this.host = host;
        }
    }

    private static final class Order {
        final List<String> hosts;
        final List<Integer> authorizations = new ArrayList<>();
        String status = "pending";

        @Nullable
        String certificate;

        Order(List<String> hosts) {
            this.hosts = hosts;
        }
    }

    private static final class Refusal extends Exception {
        final int status;
        final String type;

        Refusal(int status, String type, String detail) {
            super(detail);
            this.status = status;
            this.type = type;
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, Proof> proofs = new LinkedHashMap<>();
    private final Map<String, Event> events = new ConcurrentHashMap<>();
    private final KeyPair keys = KeptFiles.newKeys();
    private final X509Certificate certificate;

    // The monitor of this object guards nonces, accounts, orders, authorizations and requests.

    private final Set<String> nonces = new TreeSet<>();
    private final List<Account> accounts = new ArrayList<>();
    private final List<Order> orders = new ArrayList<>();
    private final List<Authorization> authorizations = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private final AtomicInteger signed = new AtomicInteger();

    /** Returns the beginning of the validity of a new certificate. */
    volatile Supplier<Instant> begin = Instant::now;

    /** The length of the validity of new certificates. */
    volatile Duration life = Duration.ofDays(90);

    /** The key id of the operator's external account; null if the authority requires no external account. */
    volatile @Nullable String bindingId;

    volatile byte[] bindingKey = {};

    public AcmeAuthority() throws Exception {
        certificate = sign(
                new X500Name("CN=Test authority"),
                keys.getPublic(),
                Instant.parse("2001-01-01T00:00:00Z"),
                Instant.parse("2049-01-01T00:00:00Z"),
                null);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    public String directory() {
        return url() + "/dir";
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /** Adds a challenge that the authority offers, such as {@code http-01}. */
    public AcmeAuthority offers(String kind, Proof proof) {
        proofs.put(kind, proof);
        return this;
    }

    void withdraws(String kind) {
        proofs.remove(kind);
    }

    /** Replaces the response to requests for a resource, such as {@code order}. */
    public void on(String resource, Event event) {
        events.put(resource, event);
    }

    void restoreUsualResponse(String resource) {
        events.remove(resource);
    }

    synchronized int accounts() {
        return accounts.size();
    }

    /** Returns the content of the request that created an account. */
    synchronized Map<String, Object> account(int number) {
        return accounts.get(number).content();
    }

    /** The number of signed certificates. */
    public int signed() {
        return signed.get();
    }

    /** Returns the requested resources in the order of the requests. Requests for nonces are not included. */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /** Lets all authorizations expire. In a real authority, an authorization expires after some weeks. */
    synchronized void expireAuthorizations() {
        authorizations.forEach(authorization -> authorization.status = "expired");
    }

    synchronized void forgetNonces() {
        nonces.clear();
    }

    // ---- events

    public static Event answers(int status, String type, String detail) {
        return (authority, exchange) -> authority.problem(exchange, status, type, detail);
    }

    static Event text(int status, String type, String text) {
        return (authority, exchange) -> authority.send(exchange, status, type, text);
    }

    /** Sends the usual response to a request. */
    void sendUsualResponse(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        usual(exchange, path.split("/")[1], path);
    }

    static Event rateLimits(String retryAfter) {
        return (authority, exchange) -> {
            exchange.getResponseHeaders().set("Retry-After", retryAfter);
            authority.problem(exchange, 429, "rateLimited", "too many new orders recently");
        };
    }

    /** Returns an event that sends no response, and blocks until the authority is closed. */
    public static Event hangs() {
        return (authority, exchange) -> authority.awaitClosed();
    }

    /** Returns an event that sends a response without the end of its body, and then blocks until the authority is closed. */
    static Event hangsInTheBody() {
        return (authority, exchange) -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write("{\"newNonce\":".getBytes(StandardCharsets.US_ASCII));
            exchange.getResponseBody().flush();
            authority.awaitClosed();
        };
    }

    private void awaitClosed() {
        try {
            // The method close() ends this wait.
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- requests

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String resource = path.split("/")[1];
        try {
            synchronized (this) {
                if (!resource.equals("nonce")) {
                    requests.add(resource);
                }
            }
            Event event = events.get(resource);
            if (event != null) {
                event.happen(this, exchange);
            } else {
                usual(exchange, resource, path);
            }
        } finally {
            exchange.close();
        }
    }

    private void usual(HttpExchange exchange, String resource, String path) throws IOException {
        try {
            answer(exchange, resource, path);
        } catch (Refusal e) {
            problem(exchange, e.status, e.type, String.valueOf(e.getMessage()));
        } catch (GeneralSecurityException | JoseException | OperatorException | PKCSException | RuntimeException e) {
            problem(exchange, 500, "serverInternal", e.toString());
        }
    }

    private void answer(HttpExchange exchange, String resource, String path)
            throws IOException, Refusal, GeneralSecurityException, JoseException, OperatorException, PKCSException {
        switch (resource) {
            case "dir" -> json(exchange, 200, directoryContent());
            case "nonce" -> {
                exchange.getResponseHeaders().set("Replay-Nonce", nonce());
                exchange.sendResponseHeaders(200, -1);
            }
            default -> signed(exchange, resource, path);
        }
    }

    private Map<String, Object> directoryContent() {
        return Map.of(
                "newNonce", url() + "/nonce",
                "newAccount", url() + "/account",
                "newOrder", url() + "/order",
                "meta", Map.of("termsOfService", TERMS));
    }

    private synchronized void signed(HttpExchange exchange, String resource, String path)
            throws IOException, Refusal, GeneralSecurityException, JoseException, OperatorException, PKCSException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, Object> message = JsonUtil.parseJson(text);
        JsonWebSignature signature = new JsonWebSignature();
        signature.setCompactSerialization(
                message.get("protected") + "." + message.get("payload") + "." + message.get("signature"));
        if (!nonces.remove(signature.getHeader("nonce"))) {
            throw new Refusal(400, "badNonce", "the nonce is unknown, or was used before");
        }
        if (!(url() + path).equals(signature.getHeader("url"))) {
            throw new Refusal(401, "unauthorized", "the signature is for another URL");
        }
        boolean isNew = resource.equals("account");
        Account account = isNew ? null : account(signature.getHeader("kid"));
        PublicJsonWebKey own = isNew ? PublicJsonWebKey.Factory.newPublicJwk(jwk(signature)) : null;
        signature.setKey(account == null ? own.getPublicKey() : account.key());
        if (!signature.verifySignature()) {
            throw new Refusal(401, "malformed", "the signature is wrong");
        }
        String payload = signature.getPayload();
        Map<String, Object> content = payload.isEmpty() ? Map.of() : JsonUtil.parseJson(payload);
        int number = path.lastIndexOf('/') > 0 ? Integer.parseInt(path.split("/")[2]) : -1;
        switch (resource) {
            case "account" -> account(exchange, own, content);
            case "order" -> {
                if (number < 0) {
                    newOrder(exchange, content);
                } else {
                    json(exchange, 200, content(number));
                }
            }
            case "authorization" -> json(exchange, 200, authorizationContent(number));
            case "challenge" -> {
                prove(authorizations.get(number), path.split("/")[3], account);
                json(exchange, 200, challengeContent(number, path.split("/")[3]));
            }
            case "finalize" -> {
                complete(orders.get(number), String.valueOf(content.get("csr")));
                exchange.getResponseHeaders().set("Location", url() + "/order/" + number);
                json(exchange, 200, content(number));
            }
            case "certificate" ->
                send(
                        exchange,
                        200,
                        "application/pem-certificate-chain",
                        String.valueOf(orders.get(number).certificate));
            default -> throw new Refusal(404, "malformed", "no such resource");
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> jwk(JsonWebSignature signature) {
        return (Map<String, Object>) signature.getHeaders().getObjectHeaderValue("jwk");
    }

    private Account account(String url) throws Refusal {
        return accounts.stream()
                .filter(account -> account.url().equals(url))
                .findFirst()
                .orElseThrow(() -> new Refusal(400, "accountDoesNotExist", "no such account"));
    }

    private void account(HttpExchange exchange, PublicJsonWebKey key, Map<String, Object> content)
            throws IOException, Refusal, JoseException {
        String thumbprint = key.calculateBase64urlEncodedThumbprint("SHA-256");
        for (Account known : accounts) {
            if (known.thumbprint().equals(thumbprint)) {
                exchange.getResponseHeaders().set("Location", known.url());
                json(exchange, 200, Map.of("status", "valid"));
                return;
            }
        }
        if (!Boolean.TRUE.equals(content.get("termsOfServiceAgreed"))) {
            throw new Refusal(403, "userActionRequired", "the agreement to the terms of service is missing");
        }
        if (bindingId != null) {
            requireBinding(content);
        }
        Account made = new Account(url() + "/account/" + accounts.size(), key.getPublicKey(), thumbprint, content);
        accounts.add(made);
        exchange.getResponseHeaders().set("Location", made.url());
        json(exchange, 201, Map.of("status", "valid"));
    }

    @SuppressWarnings("unchecked")
    private void requireBinding(Map<String, Object> content) throws Refusal, JoseException {
        Map<String, Object> binding = (Map<String, Object>) content.get("externalAccountBinding");
        if (binding == null) {
            throw new Refusal(403, "externalAccountRequired", "an external account is required");
        }
        JsonWebSignature inner = new JsonWebSignature();
        inner.setCompactSerialization(
                binding.get("protected") + "." + binding.get("payload") + "." + binding.get("signature"));
        inner.setKey(new HmacKey(bindingKey));
        if (!inner.getHeader("kid").equals(bindingId) || !inner.verifySignature()) {
            throw new Refusal(403, "unauthorized", "the binding is wrong");
        }
    }

    // ---- orders

    @SuppressWarnings("unchecked")
    private void newOrder(HttpExchange exchange, Map<String, Object> content) throws IOException {
        List<String> hosts = ((List<Map<String, Object>>) content.get("identifiers"))
                .stream()
                        .map(identifier -> String.valueOf(identifier.get("value")))
                        .toList();
        Order order = new Order(hosts);
        for (String host : hosts) {
            order.authorizations.add(authorization(host));
        }
        orders.add(order);
        int number = orders.size() - 1;
        exchange.getResponseHeaders().set("Location", url() + "/order/" + number);
        json(exchange, 201, content(number));
    }

    /** Returns the number of a valid authorization for the host. If there is none, the method adds a new authorization. */
    private int authorization(String host) {
        for (int i = 0; i < authorizations.size(); i++) {
            if (authorizations.get(i).host.equals(host)
                    && authorizations.get(i).status.equals("valid")) {
                return i;
            }
        }
        authorizations.add(new Authorization(host));
        return authorizations.size() - 1;
    }

    private Map<String, Object> content(int number) {
        Order order = orders.get(number);
        List<String> states = order.authorizations.stream()
                .map(authorization -> authorizations.get(authorization).status)
                .toList();
        if (order.status.equals("pending") && states.stream().allMatch("valid"::equals)) {
            order.status = "ready";
        } else if (order.status.equals("pending") && states.contains("invalid")) {
            order.status = "invalid";
        }
        Map<String, Object> content = new HashMap<>();
        content.put("status", order.status);
        content.put(
                "identifiers",
                order.hosts.stream().map(AcmeAuthority::identifier).toList());
        content.put(
                "authorizations",
                order.authorizations.stream()
                        .map(authorization -> url() + "/authorization/" + authorization)
                        .toList());
        content.put("finalize", url() + "/finalize/" + number);
        if (order.certificate != null) {
            content.put("certificate", url() + "/certificate/" + number);
        }
        return content;
    }

    private static Map<String, Object> identifier(String host) {
        return Map.of("type", "dns", "value", host);
    }

    private Map<String, Object> authorizationContent(int number) {
        Authorization authorization = authorizations.get(number);
        return Map.of(
                "identifier",
                identifier(authorization.host),
                "status",
                authorization.status,
                "challenges",
                proofs.keySet().stream()
                        .map(kind -> challengeContent(number, kind))
                        .toList());
    }

    private Map<String, Object> challengeContent(int number, String kind) {
        Authorization authorization = authorizations.get(number);
        Map<String, Object> content = new HashMap<>();
        content.put("type", kind);
        content.put("url", url() + "/challenge/" + number + "/" + kind);
        content.put("token", authorization.token);
        content.put("status", authorization.kind.equals(kind) ? authorization.status : "pending");
        if (authorization.kind.equals(kind) && authorization.problem != null) {
            content.put("error", Map.of("type", ERROR + "unauthorized", "detail", authorization.problem));
        }
        return content;
    }

    private void prove(Authorization authorization, String kind, Account account) {
        authorization.kind = kind;
        authorization.problem = proofs.get(kind)
                .wrong(authorization.host, authorization.token, authorization.token + "." + account.thumbprint());
        authorization.status = authorization.problem == null ? "valid" : "invalid";
    }

    private void complete(Order order, String request)
            throws IOException, Refusal, GeneralSecurityException, OperatorException, PKCSException {
        if (!order.status.equals("ready")) {
            throw new Refusal(403, "orderNotReady", "the order is " + order.status);
        }
        PKCS10CertificationRequest csr =
                new PKCS10CertificationRequest(Base64.getUrlDecoder().decode(request));
        PublicKey key = KeyFactory.getInstance("EC")
                .generatePublic(
                        new X509EncodedKeySpec(csr.getSubjectPublicKeyInfo().getEncoded()));
        if (!csr.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
            throw new Refusal(400, "badCSR", "the signature is wrong");
        }
        Extensions wanted =
                Extensions.getInstance(csr.getAttributes(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)[0]
                        .getAttrValues()
                        .getObjectAt(0));
        GeneralNames names = GeneralNames.fromExtensions(wanted, Extension.subjectAlternativeName);
        Set<String> asked = new TreeSet<>();
        Stream.of(names.getNames()).forEach(name -> asked.add(name.getName().toString()));
        if (!asked.equals(new TreeSet<>(order.hosts))) {
            throw new Refusal(400, "badCSR", "the names differ from the names of the order: " + asked);
        }
        Instant from = begin.get();
        X509Certificate made = sign(new X500Name(new RDN[0]), key, from, from.plus(life), names);
        order.certificate =
                Pem.block(Pem.CERTIFICATE, made.getEncoded()) + Pem.block(Pem.CERTIFICATE, certificate.getEncoded());
        order.status = "valid";
        signed.incrementAndGet();
    }

    /** @param names the host names in the certificate; null for the certificate of the authority */
    private X509Certificate sign(
            X500Name subject, PublicKey key, Instant from, Instant to, @Nullable GeneralNames names)
            throws GeneralSecurityException, OperatorException, IOException {
        BigInteger serial = new BigInteger(64, new SecureRandom()).setBit(63);
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                new X500Name("CN=Test authority"), serial, Date.from(from), Date.from(to), subject, key);
        if (names == null) {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        } else {
            builder.addExtension(Extension.subjectAlternativeName, true, names);
        }
        ContentSigner signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    // ---- responses

    private synchronized String nonce() {
        String nonce = random();
        nonces.add(nonce);
        return nonce;
    }

    private static String random() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static byte[] sha256(String text) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void problem(HttpExchange exchange, int status, String type, String detail) throws IOException {
        send(
                exchange,
                status,
                "application/problem+json",
                JsonUtil.toJson(Map.of("type", ERROR + type, "detail", detail)));
    }

    private void json(HttpExchange exchange, int status, Map<String, Object> content) throws IOException {
        send(exchange, status, "application/json", JsonUtil.toJson(content));
    }

    private void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Replay-Nonce", nonce());
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
