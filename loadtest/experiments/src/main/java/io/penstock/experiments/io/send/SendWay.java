package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.WholeFile;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A way to send a file. Each way opens a connection, sends the file, and closes the connection. */
enum SendWay {
    STREAMS_SMALL("read + write, 4 KiB array") {
        @Override
        void send(Path file, InetSocketAddress to) throws IOException {
            throughStreams(file, to, 4 << 10);
        }
    },
    STREAMS_LARGE("read + write, 64 KiB array") {
        @Override
        void send(Path file, InetSocketAddress to) throws IOException {
            throughStreams(file, to, 64 << 10);
        }
    },
    MAP("map + write") {
        @Override
        void send(Path file, InetSocketAddress to) throws IOException {
            try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                    SocketChannel channel = SocketChannel.open(to)) {
                WholeFile.map(WholeFile.readOnly(from), from.size(), WholeFile.WINDOW, channel);
            }
        }
    },
    TRANSFER_TO("transferTo (sendfile)") {
        @Override
        void send(Path file, InetSocketAddress to) throws IOException {
            try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                    SocketChannel channel = SocketChannel.open(to)) {
                WholeFile.transfer(from::transferTo, from.size(), channel);
            }
        }
    };

    private final String label;

    SendWay(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    abstract void send(Path file, InetSocketAddress to) throws IOException;

    private static void throughStreams(Path file, InetSocketAddress to, int arrayLength) throws IOException {
        byte[] array = new byte[arrayLength];
        try (InputStream in = new FileInputStream(file.toFile());
                Socket socket = new Socket(to.getAddress(), to.getPort());
                OutputStream out = socket.getOutputStream()) {
            for (int n = in.read(array); n >= 0; n = in.read(array)) {
                out.write(array, 0, n);
                if (Thread.currentThread().isInterrupted()) {
                    // Streams do not react to an interrupt, so the interrupt is checked here.
                    throw new InterruptedIOException("told to end");
                }
            }
        }
    }
}
