package io.penstock.standalone;

import io.penstock.testing.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * nginx as a proxy in front of servers of this machine, with connections to them that it keeps. What has failed before a response it
 * tries once more, at another server, if its method is idempotent.
 *
 * <p>Owns: the process and its folder, which {@link #close} ends and removes.
 */
final class NginxProcess implements AutoCloseable {
    private static final String CONFIGURATION = """
            daemon off;
            master_process off;
            pid nginx.pid;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                upstream servers {
            %s
                    keepalive 16;
                }
                server {
                    listen 127.0.0.1:%d;
                    location / {
                        proxy_pass http://servers;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_next_upstream error timeout;
                        proxy_next_upstream_tries 2;
                    }
                }
            }
            """;

    private final Process process;
    private final Path folder;
    private final int port;

    private NginxProcess(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    static NginxProcess start(int... servers) throws IOException {
        Path folder = Files.createTempDirectory("penstock-nginx");
        int port = freePort();
        StringBuilder upstream = new StringBuilder();
        for (int server : servers) {
            upstream.append("        server 127.0.0.1:").append(server).append(";\n");
        }
        Path configuration = Files.writeString(folder.resolve("nginx.conf"), CONFIGURATION.formatted(upstream, port));
        Process process = new ProcessBuilder(
                        Program.NGINX.path().toString(),
                        "-p",
                        folder.toString(),
                        "-c",
                        configuration.toString(),
                        "-e",
                        "error.log")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
        NginxProcess nginx = new NginxProcess(process, folder, port);
        Awaitility.await().until(nginx::answers);
        return nginx;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException("nginx has ended: " + log());
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

    /** What nginx has to say. */
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
