package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key on the curve P-256 and its self-signed certificate, for servers that are compared over TLS.
 *
 * <p>Owns: the folder with the key store file. The folder is deleted when this object is closed.
 */
public final class TlsKey implements AutoCloseable {
    /** The password of the key store. It is not secret; the programs of the servers contain it, too. */
    private static final String PASSWORD = "comparison";

    private static final String ALIAS = "server";

    /** The cipher suites that the programs of the servers use. */
    public static final List<String> SUITES =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");

    private final Path folder;

    private TlsKey(Path folder) {
        this.folder = folder;
    }

    /** Creates a key with the JDK's {@code keytool}. */
    public static TlsKey create() throws IOException, InterruptedException {
        Path folder = Folders.create("penstock-key-");
        try {
            TlsKey key = new TlsKey(folder);
            Process tool =
                    new ProcessBuilder(key.command()).redirectErrorStream(true).start();
            tool.getOutputStream().close();
            String words = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (tool.waitFor() != 0) {
                throw new IOException("keytool has not made a key: " + words.strip());
            }
            return key;
        } catch (IOException | InterruptedException failed) {
            Folders.delete(folder);
            throw failed;
        }
    }

    private List<String> command() {
        String options = " -genkeypair -alias " + ALIAS + " -keyalg EC -groupname secp256r1 -dname CN=localhost"
                + " -ext SAN=dns:localhost,ip:127.0.0.1 -storetype PKCS12 -storepass " + PASSWORD + " -keystore";
        List<String> command = new ArrayList<>(List.of(options.split(" ")));
        command.set(0, JvmSettings.ownJava().resolveSibling("keytool").toString());
        command.add(file().toString());
        return command;
    }

    /** The key store file, in the format PKCS#12. */
    Path file() {
        return folder.resolve("server.p12");
    }

    /** Returns a TLS context for clients that trust only this key. */
    public SSLContext client() throws IOException {
        return context(new KeyManager[0]);
    }

    /** Returns a TLS context for a server with this key. */
    public SSLContext server() throws IOException {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store(), PASSWORD.toCharArray());
            return context(keys.getKeyManagers());
        } catch (GeneralSecurityException failed) {
            throw failed(failed);
        }
    }

    private SSLContext context(KeyManager[] keys) throws IOException {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException failed) {
            throw failed(failed);
        }
    }

    private KeyStore store() throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(file().toFile(), PASSWORD.toCharArray());
    }

    private static IOException failed(GeneralSecurityException cause) {
        return new IOException("The JDK cannot use the key: " + cause.getMessage(), cause);
    }

    /**
     * Replaces the file of this key by the file of the other key. A server that watches the file sees either the complete old file or the
     * complete new file.
     */
    public void replaceBy(TlsKey other) throws IOException {
        Path next = Files.copy(other.file(), folder.resolve("next.p12"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The certificate that is now in the file. */
    public X509Certificate certificate() throws IOException {
        try {
            return (X509Certificate) store().getCertificate(ALIAS);
        } catch (GeneralSecurityException failed) {
            throw failed(failed);
        }
    }

    @Override
    public void close() throws IOException {
        Folders.delete(folder);
    }
}
