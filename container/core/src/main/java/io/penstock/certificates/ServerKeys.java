package io.penstock.certificates;

import io.penstock.address.HostName;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the certificate for a handshake. The first criterion is the server name that the client has sent (SNI, RFC 6066 section 3).
 * Certificates with exactly this name are preferred, then certificates with a wildcard for the name. If no certificate covers the name, or
 * if the client has sent no name, the candidates are the first configured certificate and all certificates with the same names. The second
 * criterion is the signature: the result is the first candidate whose signatures the client can verify.
 *
 * <p>Thread: any; this class is immutable. In a handshake the JDK calls this class once for each key type that client and server have in
 * common, until a call returns an alias.
 */
final class ServerKeys extends X509ExtendedKeyManager {
    private final Map<String, Entry> byAlias = new HashMap<>();
    private final Map<String, List<Entry>> exact = new HashMap<>();
    private final Map<String, List<Entry>> wildcards = new HashMap<>();

    /** The first configured certificate, and all certificates with the same names. These certificates differ in the kind of the key. */
    private final List<Entry> byDefault = new ArrayList<>();

    private record Entry(String alias, Identity identity) {}

    /** @param identities the certificates in the configured order; not empty */
    ServerKeys(List<Identity> identities) {
        CertificateNames first = identities.get(0).names();
        for (Identity identity : identities) {
            Entry entry = new Entry(Integer.toString(byAlias.size()), identity);
            byAlias.put(entry.alias(), entry);
            identity.names().exact().forEach(name -> add(exact, name, entry));
            identity.names().wildcards().forEach(name -> add(wildcards, name, entry));
            if (byDefault.isEmpty() || identity.names().equals(first)) {
                byDefault.add(entry);
            }
        }
    }

    private static void add(Map<String, List<Entry>> table, String name, Entry entry) {
        table.computeIfAbsent(name, key -> new ArrayList<>()).add(entry);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return choose(keyType, engine == null ? null : engine.getHandshakeSession());
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return choose(keyType, socket instanceof SSLSocket tls ? tls.getHandshakeSession() : null);
    }

    private @Nullable String choose(String keyType, @Nullable SSLSession handshake) {
        ExtendedSSLSession session = handshake instanceof ExtendedSSLSession extended ? extended : null;
        for (List<Entry> fitting : fitting(session == null ? null : serverName(session))) {
            List<Entry> known = fitting.stream()
                    .filter(entry -> session == null || isKnown(entry.identity().kind(), session))
                    .toList();
            if (!known.isEmpty()) {
                // The result is null if these certificates have other key types. The JDK then calls this class for the
                // other types.
                return known.stream()
                        .filter(entry -> entry.identity().kind().algorithm().equals(keyType))
                        .map(Entry::alias)
                        .findFirst()
                        .orElse(null);
            }
        }
        return null;
    }

    private static @Nullable String serverName(ExtendedSSLSession session) {
        for (SNIServerName name : session.getRequestedServerNames()) {
            if (name instanceof SNIHostName host) {
                return HostName.canonical(host.getAsciiName());
            }
        }
        return null;
    }

    /** Returns the groups of candidates for a server name, with the preferred group first. */
    private List<List<Entry>> fitting(@Nullable String name) {
        List<List<Entry>> groups = new ArrayList<>();
        if (name != null) {
            groups.add(exact.getOrDefault(name, List.of()));
            groups.add(wildcards.getOrDefault(CertificateNames.parent(name), List.of()));
            groups.removeIf(List::isEmpty);
        }
        return groups.isEmpty() ? List.of(byDefault) : groups;
    }

    /**
     * Whether the client can verify signatures of this kind of key. In TLS 1.2 a client can omit the list of its signature algorithms; the
     * result is then true.
     */
    private static boolean isKnown(KeyKind kind, ExtendedSSLSession session) {
        List<String> signatures = List.of(session.getPeerSupportedSignatureAlgorithms());
        return signatures.isEmpty() || kind.isKnown(signatures, session.getProtocol());
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Entry entry = byAlias.get(alias);
        return entry == null ? null : entry.identity().chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Entry entry = byAlias.get(alias);
        return entry == null ? null : entry.identity().key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String[] aliases = byAlias.values().stream()
                .filter(entry -> entry.identity().kind().algorithm().equals(keyType))
                .map(Entry::alias)
                .sorted()
                .toArray(String[]::new);
        return aliases.length == 0 ? null : aliases;
    }

    /** Null: this class is for servers only. */
    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    /** Null: this class is for servers only. */
    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
