package io.penstock.standalone;

import io.penstock.testing.FreePort;
import io.penstock.testing.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Runs nginx, HAProxy or Apache as a proxy in front of servers on this machine.
 *
 * <p>{@link #close} ends the process, and deletes the folder with the configuration and the logs.
 */
final class ProxyProcess implements AutoCloseable {
    private static final String NGINX = """
            daemon off;
            master_process off;
            pid nginx.pid;
            events { worker_connections 4096; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
            %s
            }
            """;

    private static final Path APACHE_MODULES = Path.of("/usr/lib/apache2/modules");

    private static final List<String> APACHE_LOADS =
            List.of("mpm_event", "alias", "authz_core", "headers", "proxy", "proxy_http", "socache_shmcb", "ssl");

    private static final String APACHE = """
            ServerRoot "%1$s"
            DefaultRuntimeDir "%1$s"
            PidFile apache.pid
            ErrorLog error.log
            ServerName localhost
            User www-data
            Group www-data
            StartServers 1
            """;

    private static final String HAPROXY = """
            defaults
                timeout connect 60s
                timeout client 60s
                timeout server 60s
                timeout check 60s
            """;

    /** Creates a part of a configuration. */
    @FunctionalInterface
    interface Text {
        /** @param port the port on which the proxy listens */
        String apply(int port) throws IOException;
    }

    private final Process process;
    private final Path folder;
    private final int port;

    private ProxyProcess(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /** @param http creates the content of the block {@code http}; its argument is the port on which nginx listens */
    static ProxyProcess nginx(Text http) throws IOException {
        Path folder = Files.createTempDirectory("penstock-nginx");
        int port = FreePort.next();
        Path configuration = Files.writeString(folder.resolve("nginx.conf"), NGINX.formatted(http.apply(port)));
        return start(
                folder,
                port,
                Program.NGINX.path().toString(),
                "-p",
                folder.toString(),
                "-c",
                configuration.toString(),
                "-e",
                "error.log");
    }

    /** @param parts creates the configuration that follows the defaults; its argument is the port on which HAProxy listens */
    static ProxyProcess haproxy(Text parts) throws IOException {
        Path folder = Files.createTempDirectory("penstock-haproxy");
        int port = FreePort.next();
        Path configuration = Files.writeString(folder.resolve("haproxy.cfg"), HAPROXY + parts.apply(port));
        return start(folder, port, Program.HAPROXY.path().toString(), "-db", "-f", configuration.toString());
    }

    /** @param parts creates the configuration that follows the modules; its argument is the port on which Apache listens */
    static ProxyProcess apache(Text parts) throws IOException {
        Path folder = Files.createTempDirectory("penstock-apache");
        int port = FreePort.next();
        StringBuilder text = new StringBuilder(APACHE.formatted(folder));
        for (String module : APACHE_LOADS) {
            text.append("LoadModule %s_module %s/mod_%s.so\n".formatted(module, APACHE_MODULES, module));
        }
        text.append("Listen 127.0.0.1:").append(port).append('\n').append(parts.apply(port));
        Path configuration = Files.writeString(folder.resolve("apache.conf"), text);
        return start(
                folder, port, Program.APACHE.path().toString(), "-D", "FOREGROUND", "-f", configuration.toString());
    }

    private static ProxyProcess start(Path folder, int port, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
        ProxyProcess proxy = new ProxyProcess(process, folder, port);
        Awaitility.await().until(proxy::acceptsConnections);
        return proxy;
    }

    private boolean acceptsConnections() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the proxy has ended: " + log());
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    int port() {
        return port;
    }

    /** Returns the output and the error log of the proxy. */
    String log() {
        StringBuilder log = new StringBuilder();
        for (String name : List.of("output.log", "error.log")) {
            Path file = folder.resolve(name);
            try {
                log.append(Files.exists(file) ? Files.readString(file) : "");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return log.toString();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
