package io.penstock.peer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The command-line options of a peer. A peer is a program that runs one of the compared servers. All peers have the same options.
 *
 * @param port the TCP port to listen on; with 0 the server takes a free port
 * @param root the folder whose {@code files/} the server's own default servlet serves
 * @param settings the origin of the server's settings
 * @param threads the threads that run servlets
 * @param workers the maximum number of threads that run servlets; with 0 {@code settings} determines the number
 * @param sendBuffer the size of the send buffer (SO_SNDBUF) of the server's socket for each client, in bytes; with 0 the kernel chooses the
 *     size
 * @param keyStore the key store for TLS, see {@link PeerTls}; without it, the server does not use TLS
 * @param http2 whether the server also speaks HTTP/2: chosen by ALPN with TLS, or by clients that begin with it
 * @param webSocket whether the server also has the {@linkplain io.penstock.peer.content.Endpoints endpoints} of the common content. They are not
 *     there by default, since each request would pass a filter
 * @param own settings that only this server has; the keys are the server's own names of the settings
 */
public record PeerOptions(
        int port,
        Path root,
        Settings settings,
        Threads threads,
        int workers,
        int sendBuffer,
        Optional<Path> keyStore,
        boolean http2,
        boolean webSocket,
        Map<String, String> own) {

    /** The origin of the server's settings. */
    public enum Settings {
        /** The common settings of all servers; see {@link Tuned}. */
        TUNED,
        /** The default settings of the server. */
        DEFAULT
    }

    /** The threads that run servlets. */
    public enum Threads {
        PLATFORM,
        VIRTUAL
    }

    /** @throws IllegalArgumentException if the folder does not exist; each server has its own bounds for the other values */
    public PeerOptions {
        own = Map.copyOf(own);
        if (!Files.isDirectory(root)) {
            throw new IllegalArgumentException("--root is not a folder: " + root);
        }
    }

    /** @throws IllegalArgumentException if an argument is wrong; the message is one line that names the argument */
    public static PeerOptions parse(String... args) {
        Map<String, String> values = new TreeMap<>();
        Map<String, String> own = new TreeMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new IllegalArgumentException("No value behind " + args[i]);
            }
            if (args[i].equals("--set")) {
                putOwn(own, args[i + 1]);
            } else {
                values.put(args[i], args[i + 1]);
            }
        }
        PeerOptions options = new PeerOptions(
                number(take(values, "--port", "0")),
                Path.of(take(values, "--root", ".")).toAbsolutePath().normalize(),
                Settings.valueOf(take(values, "--settings", "tuned").toUpperCase(Locale.ROOT)),
                Threads.valueOf(take(values, "--threads", "platform").toUpperCase(Locale.ROOT)),
                number(take(values, "--workers", "0")),
                number(take(values, "--send-buffer", "0")),
                Optional.ofNullable(values.remove("--tls")).map(Path::of).map(Path::toAbsolutePath),
                isOn("--http2", take(values, "--http2", "off")),
                isOn("--set websocket", take(own, "websocket", "off")),
                own);
        if (!values.isEmpty()) {
            throw new IllegalArgumentException("Unknown arguments: " + values.keySet());
        }
        return options;
    }

    public boolean tuned() {
        return settings == Settings.TUNED;
    }

    /**
     * Returns the value of a setting, for a server with only one own setting. The value is an integer of at least 1. If the setting is not
     * given, returns 0.
     *
     * @throws IllegalArgumentException if another own setting is given, or if the value is not an integer of at least 1
     */
    public int onlyOwn(String name) {
        for (String given : own.keySet()) {
            if (!given.equals(name)) {
                throw new IllegalArgumentException("--set " + given + " is not known to this server, only " + name);
            }
        }
        String text = own.get(name);
        int value = text == null ? 0 : number(text);
        if (text != null && value < 1) {
            throw new IllegalArgumentException("--set " + name + " must be at least 1");
        }
        return value;
    }

    /** Returns a copy without the given own setting. For a server that has already applied this setting. */
    public PeerOptions without(String name) {
        Map<String, String> others = new TreeMap<>(own);
        others.remove(name);
        return new PeerOptions(port, root, settings, threads, workers, sendBuffer, keyStore, http2, webSocket, others);
    }

    /**
     * The attributes of the connector of any Tomcat, by name. A Tomcat has more of its own.
     *
     * @param mostThreads the maximum number of threads with the common settings
     */
    public Map<String, String> tomcatConnector(int mostThreads) {
        Map<String, String> attributes = new TreeMap<>(Map.of("address", "127.0.0.1"));
        if (tuned()) {
            attributes.put("maxKeepAliveRequests", "-1");
            attributes.put("acceptCount", Integer.toString(Tuned.BACKLOG));
            attributes.put("maxConnections", Integer.toString(Tuned.CONNECTIONS));
            attributes.put("connectionTimeout", Integer.toString(Tuned.IDLE_MILLIS));
            attributes.put("maxThreads", Integer.toString(mostThreads));
        }
        if (workers > 0) {
            attributes.put("maxThreads", Integer.toString(workers));
        }
        if (sendBuffer > 0) {
            attributes.put("socket.txBufSize", Integer.toString(sendBuffer));
        }
        attributes.putAll(own);
        return attributes;
    }

    /** @throws IllegalArgumentException if the given kind of threads was requested */
    public void refuse(Threads unsupported) {
        if (threads == unsupported) {
            throw new IllegalArgumentException(
                    "This server does not run servlets on " + unsupported.name().toLowerCase(Locale.ROOT) + " threads");
        }
    }

    /** @throws IllegalArgumentException if TLS or HTTP/2 was requested */
    public void refuseTlsAndHttp2() {
        if (keyStore.isPresent()) {
            throw new IllegalArgumentException("This server has no TLS: remove --tls");
        }
        if (http2) {
            throw new IllegalArgumentException("This server has no HTTP/2: remove --http2");
        }
    }

    private static void putOwn(Map<String, String> own, String setting) {
        int equals = setting.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException("--set takes NAME=VALUE, not " + setting);
        }
        own.put(setting.substring(0, equals), setting.substring(equals + 1));
    }

    private static String take(Map<String, String> values, String name, String absent) {
        String value = values.remove(name);
        return value == null ? absent : value;
    }

    private static boolean isOn(String name, String text) {
        if (!text.equals("on") && !text.equals("off")) {
            throw new IllegalArgumentException(name + " must be on or off, not " + text);
        }
        return text.equals("on");
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("Not a number: " + text, wrong);
        }
    }
}
