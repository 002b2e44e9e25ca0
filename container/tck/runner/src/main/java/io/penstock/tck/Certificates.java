package io.penstock.tck;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Creates the files with the certificates of a run of the Servlet kit. The file {@code server.p12} contains a new certificate of the server. The file
 * {@code client.jks} contains the client's certificate, which is part of the TCK. The file {@code client.pem} contains the same certificate
 * in PEM form. The server must trust this certificate. The key stores have the password of the TCK.
 */
public final class Certificates {
    private static final String CLIENT = "certificates/clientcert.jks";
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "cts";

    private Certificates() {}

    /**
     * @param arguments two arguments: the TCK's archive, and the folder for the files
     * @throws IOException if the archive has no certificate, or a file cannot be written
     */
    public static void main(String[] arguments) throws IOException, GeneralSecurityException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(arguments[1]));
        Path client = folder.resolve("client.jks");
        takeClient(Path.of(arguments[0]), client);
        Files.writeString(folder.resolve("client.pem"), pem(client));
        makeServer(folder.resolve("server.p12"));
    }

    private static void takeClient(Path archive, Path client) throws IOException {
        try (JarFile tck = new JarFile(archive.toFile())) {
            ZipEntry entry = tck.getEntry(CLIENT);
            if (entry == null) {
                throw new IOException(archive + " has no " + CLIENT);
            }
            try (InputStream content = tck.getInputStream(entry)) {
                Files.copy(content, client, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static String pem(Path client) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(client.toFile(), PASSWORD.toCharArray());
        if (!(store.getCertificate(ALIAS) instanceof X509Certificate certificate)) {
            throw new IOException(client + " has no certificate '" + ALIAS + "'");
        }
        byte[] lineEnd = "\n".getBytes(StandardCharsets.US_ASCII);
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, lineEnd).encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    private static void makeServer(Path server) throws IOException, InterruptedException {
        Files.deleteIfExists(server);
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = List.of(
                keytool.toString(),
                "-genkeypair",
                "-keystore",
                server.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "30");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool: " + output);
        }
    }
}
