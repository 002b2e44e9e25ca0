package io.penstock.httparena;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.penstock.Context;
import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.websocket.WebSockets;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The entry to HttpArena: three servers that differ only in the protocols of their ports, with the same application.
 *
 * <pre>
 *   8080  HTTP/1.1, WebSocket        8443  HTTP/2 over TLS
 *   8081  HTTP/1.1 over TLS          8082  HTTP/2 without TLS, and nothing else
 * </pre>
 *
 * <p>The ports with TLS are open if {@code CERTS_DIR} (by default {@code /certs}) has a certificate. {@code DATA_DIR} (by default
 * {@code /data}) has the items and the static files, {@code DATABASE_URL} names the database of {@code /async-db}.
 */
public final class Main {
    private Main() {}

    /** Starts the servers, and returns when one of them has stopped. */
    public static void main(String[] arguments) throws StartException, InterruptedException {
        Map<String, String> environment = System.getenv();
        Path data = Path.of(environment.getOrDefault("DATA_DIR", "/data"));
        Path certificates = Path.of(environment.getOrDefault("CERTS_DIR", "/certs"));
        Path certificate = certificates.resolve("server.crt");
        boolean tls = Files.exists(certificate);

        Items items = Items.read(data.resolve("dataset.json"));
        Optional<DataSource> database = database(environment);
        Consumer<Context> application = context -> context.servlet(
                        "sum", new Endpoints.Sum(), "/baseline11", "/baseline2")
                .servlet("pipeline", new Endpoints.Pipeline(), "/pipeline")
                .servlet("json", new Endpoints.Json(items), "/json/*")
                .servlet("upload", new Endpoints.Upload(), "/upload")
                .servletInitParam("upload", "penstock.streaming", "true")
                .servlet("database", new Endpoints.Database(database), "/async-db");

        Penstock.Builder http1 =
                server(data, application, context -> context.initializer(WebSockets.endpoints(Echo.class)));
        Penstock.Builder http2 = server(data, application, context -> {});
        if (tls) {
            http1.listen("http://:8080", "https://:8081").set("http2", "off");
            http2.listen("https://:8443");
            for (Penstock.Builder server : new Penstock.Builder[] {http1, http2}) {
                server.set("tls-cert", certificate.toString())
                        .set("tls-key", certificates.resolve("server.key").toString());
            }
            http2.start();
        } else {
            http1.listen("http://:8080");
        }
        server(data, application, context -> context.filter("http2-only", new Http2Only(), "/*"))
                .listen("http://:8082")
                .set("h2c", "on")
                .start();
        http1.start().await();
    }

    private static Penstock.Builder server(Path data, Consumer<Context> application, Consumer<Context> more) {
        return Penstock.builder()
                .stopOnExit(true)
                // The documents of production have the first key. The rules ask for the second: each file is read from the disk.
                .set("compression", "on")
                .set("file-cache", "0")
                .context("/", application.andThen(more))
                .context("/static", context -> context.resources(data.resolve("static")));
    }

    /**
     * The pool for {@code DATABASE_URL}, such as {@code postgres://user:password@host:5432/name}. An eighth of the connections of
     * {@code DATABASE_MAX_CONN} is left to the database, which reserves some for itself. The pool begins empty, so that the entry also starts
     * without its database.
     */
    private static Optional<DataSource> database(Map<String, String> environment) {
        String named = environment.get("DATABASE_URL");
        if (named == null) {
            return Optional.empty();
        }
        URI url = URI.create(named);
        String[] user = url.getUserInfo().split(":", 2);
        int connections = Integer.parseInt(environment.getOrDefault("DATABASE_MAX_CONN", "256"));
        HikariConfig pool = new HikariConfig();
        int port = url.getPort() < 0 ? 5432 : url.getPort();
        pool.setJdbcUrl("jdbc:postgresql://" + url.getHost() + ":" + port + url.getPath());
        pool.setUsername(user[0]);
        pool.setPassword(user.length == 1 ? "" : user[1]);
        pool.setMaximumPoolSize(Math.max(1, connections - connections / 8));
        pool.setInitializationFailTimeout(-1);
        return Optional.of(new HikariDataSource(pool));
    }

    /** The profiles of HTTP/2 without TLS want a port that refuses HTTP/1.1, which the key {@code h2c} does not do. */
    private static final class Http2Only extends HttpFilter {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (request.getProtocol().equals("HTTP/2.0")) {
                chain.doFilter(request, response);
            } else {
                response.sendError(HttpServletResponse.SC_HTTP_VERSION_NOT_SUPPORTED, "This port speaks HTTP/2");
            }
        }
    }

    /** Sends each message back. */
    @ServerEndpoint("/ws")
    public static final class Echo {
        /** Returns the text to its sender. */
        @OnMessage
        public String onText(String message) {
            return message;
        }

        /** Returns the bytes to their sender. */
        @OnMessage
        public byte[] onBytes(byte[] message) {
            return message;
        }
    }
}
