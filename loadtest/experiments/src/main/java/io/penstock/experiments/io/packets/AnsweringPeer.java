package io.penstock.experiments.io.packets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Reads messages of a known length from its one client and answers each, until the client closes. It sends nothing before a
 * message is complete, so its system delays the acknowledgement of the first part.
 *
 * <p>Thread: a thread of its own reads and answers; any thread stops the peer.
 *
 * <p>Owns: the listening socket, the connection that it accepts, and the thread.
 */
final class AnsweringPeer {
    /** The length of an answer, in bytes. */
    static final int ANSWER = 100;

    private final ServerSocketChannel door;
    private final Thread thread;

    private AnsweringPeer(ServerSocketChannel door, int message) {
        this.door = door;
        this.thread = new Thread(() -> serve(message), "answering-peer");
    }

    static AnsweringPeer start(int message) throws IOException {
        ServerSocketChannel door = ServerSocketChannel.open();
        door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        AnsweringPeer peer = new AnsweringPeer(door, message);
        peer.thread.start();
        return peer;
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) door.getLocalAddress();
    }

    private void serve(int message) {
        ByteBuffer room = ByteBuffer.allocateDirect(message);
        ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER);
        try (SocketChannel client = door.accept()) {
            while (readWhole(client, room.clear())) {
                answer.clear();
                while (answer.hasRemaining()) {
                    client.write(answer);
                }
            }
        } catch (AsynchronousCloseException closed) {
            // The socket was closed before a client connected, so there is nothing to answer.
            assert !door.isOpen();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** False if the client has closed. */
    private static boolean readWhole(SocketChannel client, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            if (client.read(message) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Waits for the thread: the client must have closed its connection. */
    void stop() throws IOException, InterruptedException {
        door.close();
        thread.join();
    }
}
