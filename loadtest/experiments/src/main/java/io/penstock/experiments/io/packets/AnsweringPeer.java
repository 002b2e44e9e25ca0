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
 * A server with one client. It reads messages of a known length and answers each message, until the client closes the connection. The
 * server sends nothing before a message is complete, so its operating system delays the acknowledgement of the first part of a message.
 *
 * <p>Thread: a thread of this object reads and answers; any other thread can stop the server.
 *
 * <p>Owns: the listening socket, the accepted connection, and the thread.
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
            // The listening socket was closed before a client connected, so no message must be answered.
            assert !door.isOpen();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one message. Returns false if the client has closed the connection. */
    private static boolean readWhole(SocketChannel client, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            if (client.read(message) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Stops the server, and waits for the end of its thread. The client must already have closed its connection. */
    void stop() throws IOException, InterruptedException {
        door.close();
        thread.join();
    }
}
