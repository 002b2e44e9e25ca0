package io.penstock.standalone;

import io.penstock.Penstock;
import io.penstock.address.ContextLocation;
import io.penstock.limits.ApplicationKey;
import io.penstock.limits.ApplicationSetting;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.Origin;
import io.penstock.limits.Tls;
import io.penstock.log.JulBridge;
import io.penstock.log.LogProvider;
import io.penstock.spool.OwnedFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that {@link Training} starts. It is a server with the given configuration, but it listens only on a free loopback port. It
 * does not use files and ports of a running server. The process answers a few requests for each application, and ends.
 *
 * <p>Thread: the thread that calls {@link #main}.
 *
 * @param folder an existing empty folder; it replaces the folders and files of a running server
 */
record TrainingRun(Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingRun.class);
    private static final Origin ORIGIN = new Origin.Flag(CommandOption.TRAIN.written());
    private static final String LOOPBACK = "127.0.0.1";
    private static final int PATIENCE_SECONDS = 60;
    private static final String ACCESS_LOG = "access.log";

    /**
     * The keys that have their default values in the training. The training requests have no certificate, and use only one port, which this
     * process opens.
     */
    private static final List<Key> OTHERWISE = List.of(
            Key.LISTEN,
            Key.PROXY_PROTOCOL,
            Key.TLS_CLIENT_AUTH,
            Key.TLS_TRUST,
            Key.REDIRECT_PORT,
            Key.REDIRECT_TO_PORT,
            Key.ADMIN_TLS,
            Key.UNKNOWN_HOST);

    /**
     * The keys of certificate orders; they have their default values in the training. The training does not order a certificate from an
     * authority. Instead, the server creates a self-signed certificate.
     */
    private static final List<Key> ORDERS = List.of(Key.ACME, Key.ACME_EMAIL, Key.ACME_EAB_KID, Key.ACME_EAB_KEY);

    /**
     * The training requests: a GET with the headers of a browser, a HEAD, and a GET of a page that does not exist. The last request closes
     * the connection.
     */
    private static final String REQUESTS = """
        GET {path} HTTP/1.1
        Host: {host}
        User-Agent: Mozilla/5.0
        Accept: text/html,*/*;q=0.8
        Accept-Language: en
        Accept-Encoding: gzip, deflate
        If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT
        Cookie: a=b

        HEAD {path} HTTP/1.1
        Host: {host}

        GET {path}no-such-page HTTP/1.1
        Host: {host}
        Connection: close

        """.replace("\n", "\r\n");

    /** Runs the training, with the same arguments as {@link Main}. */
    public static void main(String[] args) throws IOException {
        LogProvider.install();
        JulBridge.install();
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        int exitCode;
        try (OwnedFolder folder = OwnedFolder.create(null, "training")) {
            TrainingRun training = new TrainingRun(folder.path());
            exitCode = new Command(
                            System.getenv(), nowhere, Main.terminal(System.err), training, Distribution.installed())
                    .execute(args);
        }
        System.exit(exitCode);
    }

    /** Returns the configuration for the training. */
    Configuration of(ConfigurationSources sources) {
        Configuration given = sources.resolve();
        replace(sources, Key.HOST, LOOPBACK);
        replace(sources, Key.PORT, "0");
        replace(sources, Key.WEBAPPS_INTERVAL, "0s");
        replace(sources, Key.SESSION_STORE, "none");
        for (Key key : OTHERWISE) {
            replace(sources, key, key.defaultShown());
        }
        for (ApplicationSetting setting : given.applicationSettings()) {
            if (setting.key() == ApplicationKey.CLIENT_AUTH) {
                sources.flag(setting.id(), "none", ORIGIN);
            } else if (setting.key() == ApplicationKey.ACCESS_LOG) {
                sources.flag(setting.id(), folder.resolve(ACCESS_LOG).toString(), ORIGIN);
            }
        }
        if (!Command.isDefault(given, Key.ACME)) {
            for (Key key : ORDERS) {
                replace(sources, key, key.defaultShown());
            }
            replace(sources, Key.TLS_SELF_SIGNED, "on");
        }
        if (!Command.isDefault(given, Key.ADMIN_PORT)) {
            replace(sources, Key.ADMIN_HOST, LOOPBACK);
            replace(sources, Key.ADMIN_PORT, "0");
        }
        if (!Command.isDefault(given, Key.ACCESS_LOG)) {
            replace(sources, Key.ACCESS_LOG, folder.resolve(ACCESS_LOG).toString());
        }
        if (!Command.isDefault(given, Key.SESSION_DIR)) {
            replace(sources, Key.SESSION_DIR, sessions().toString());
        }
        return sources.resolve();
    }

    private static void replace(ConfigurationSources sources, Key key, String text) {
        sources.flag(key, text, ORIGIN);
    }

    private Path sessions() {
        try {
            return Files.createDirectory(folder.resolve("sessions"));
        } catch (IOException e) {
            throw failed("cannot write to " + folder, e);
        }
    }

    private static OperatorException failed(String what, Exception e) {
        String reason = e instanceof IOException io ? OperatorFile.explained(io) : e.toString();
        return new OperatorException(
                ExitCode.START_FAILED, CommandOption.TRAIN.written() + ": " + what + ": " + reason, e);
    }

    /** Sends the training requests and closes the server. The requests use TLS if the server uses TLS. */
    void visit(Penstock server, Tls tls) {
        try (server) {
            SocketFactory sockets = tls.isOn() ? encrypted() : SocketFactory.getDefault();
            for (String context : server.contexts()) {
                ContextLocation location = ContextLocation.parse(context);
                ask(sockets, server.port(), requests(location.host(), location.encodedPath() + '/'));
            }
        } catch (IOException | GeneralSecurityException e) {
            throw failed("the server has not answered", e);
        }
    }

    /** @param host the host of a context; empty for the default host */
    private static String requests(String host, String path) {
        String named = host.isEmpty() ? "localhost" : host.replace("*", "any");
        return REQUESTS.replace("{host}", named).replace("{path}", path);
    }

    /** Creates sockets that trust any certificate. This is safe, because the server is in this process. */
    private static SocketFactory encrypted() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new ItsOwnServer()}, null);
        return context.getSocketFactory();
    }

    private static final class ItsOwnServer implements X509TrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // No check: this process has opened the port of the connection, on the loopback address.
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("no server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Sends requests and reads the responses to their end. The status is not checked, because a page might need a login. */
    private static void ask(SocketFactory sockets, int port, String requests) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try (Socket socket = sockets.createSocket(InetAddress.getByName(LOOPBACK), port)) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            InputStream answers = socket.getInputStream();
            byte[] buffer = new byte[8192];
            while (answers.read(buffer) >= 0) {
                if (System.nanoTime() - deadline > 0) {
                    throw new SocketTimeoutException("the answer does not end");
                }
            }
        } catch (SocketTimeoutException e) {
            LOG.warn(
                    "{} was not answered within {} s; the training continues without it",
                    requests.lines().findFirst().orElse(""),
                    PATIENCE_SECONDS);
        }
    }
}
