package io.penstock.loadtest.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For each test, a {@link ClientLoop} and a server socket whose connections the test accepts and controls. */
public final class LoopWithServer implements BeforeEachCallback, AfterEachCallback {
    private final int maxConnections;
    private final List<Socket> peers = new ArrayList<>();
    private ServerSocket server;
    private ClientLoop loop;

    public LoopWithServer(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        loop = ClientLoop.start(maxConnections);
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        loop.close();
        for (Socket peer : peers) {
            peer.close();
        }
        server.close();
    }

    public ClientLoop loop() {
        return loop;
    }

    ServerSocket server() {
        return server;
    }

    /** Accepts a connection, which is closed after the test. */
    public Socket accept() throws IOException {
        Socket peer = server.accept();
        peers.add(peer);
        return peer;
    }

    public Target target() {
        return Target.of(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/slow"));
    }

    /** Runs the task on another thread, since it waits for what the test does as the server. */
    public static <T> CompletableFuture<T> inBackground(Callable<T> task) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return task.call();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
    }
}
