package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.peers.TlsKey;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the turns of one work share: the files, the key if the work uses TLS, and the programs that are prepared once.
 *
 * <p>Thread: one thread. Owns: the key, and what was prepared.
 */
final class Stage implements AutoCloseable {
    private final Setup setup;
    private final ContentFolder content;
    private final Results results;
    private final Optional<TlsKey> key;
    private final Job job;
    private @Nullable Object prepared;

    private Stage(Setup setup, ContentFolder content, Results results, Optional<TlsKey> key, Job job) {
        this.setup = setup;
        this.content = content;
        this.results = results;
        this.key = key;
        this.job = job;
    }

    static Stage of(Setup setup, Job job, ContentFolder content, Results results)
            throws IOException, InterruptedException {
        for (Map.Entry<String, Long> file : job.content().entrySet()) {
            content.add(file.getKey(), file.getValue());
        }
        Optional<TlsKey> key = job.encrypted() ? Optional.of(TlsKey.create()) : Optional.empty();
        return new Stage(setup, content, results, key, job);
    }

    Setup setup() {
        return setup;
    }

    Sizes sizes() {
        return setup.sizes();
    }

    ContentFolder content() {
        return content;
    }

    /** Sends requests for the given time with the client that suits them, and names the client in the figures. */
    Client.Got send(Target target, Requests requests, Duration time, Figures figures)
            throws IOException, InterruptedException {
        Client client = Client.of(setup.client(), requests);
        figures.by(client);
        return client.send(target, requests, time, key);
    }

    /** The settings of a loop of the load test's own client. */
    ClientSettings clients(int connections) throws IOException {
        ClientSettings settings = ClientSettings.defaults().withMaxConnections(connections);
        return key.isPresent() ? settings.withTls(key.get().client()) : settings;
    }

    /** Starts a server with the common options of all works. */
    ServerProcess start(Server server) throws IOException, InterruptedException {
        return start(server, UnaryOperator.identity());
    }

    /** @param how a function that changes the common options of all works into the options for this work */
    ServerProcess start(Server server, UnaryOperator<ServerOptions> how) throws IOException, InterruptedException {
        return start(server.id(), "", server, List.of(), how);
    }

    /**
     * Starts a server, and records its name and command.
     *
     * @param id the name of the server in files
     * @param suffix the end of the server's name in tables
     * @param jvmOptions JVM options in addition to those of all servers
     */
    ServerProcess start(
            String id, String suffix, Server server, List<String> jvmOptions, UnaryOperator<ServerOptions> how)
            throws IOException, InterruptedException {
        ServerOptions options = ServerOptions.serving(content.root());
        if (key.isPresent()) {
            options = options.withTls(key.get());
        }
        options = how.apply(job.options(options));
        if (server.isPenstock()) {
            for (Map.Entry<String, String> setting : setup.settings().entrySet()) {
                options = options.with(server.key(setting.getKey()), setting.getValue());
            }
        }
        JvmSettings jvm = setup.jvm().with(jvmOptions);
        ServerProcess process = ServerProcess.start(server, setup.peers(), jvm, options);
        results.started(id, process.title() + suffix, process.commandLine());
        return process;
    }

    /** Records the name of a program that is not a server of the table, and the command that has started it. */
    void started(String id, String title, String command) {
        results.started(id, title, command);
    }

    /** Prepares what the turns of a work share. */
    @FunctionalInterface
    interface Preparation<T> {
        T prepare() throws IOException, InterruptedException;
    }

    /** What the job prepares once, at the first call, such as a program. A {@link Closeable} is closed with the stage. */
    <T> T prepared(Class<T> type, Preparation<T> preparation) throws IOException, InterruptedException {
        Object known = prepared;
        if (known == null) {
            known = preparation.prepare();
            prepared = known;
        }
        return type.cast(known);
    }

    @Override
    public void close() throws IOException {
        if (prepared instanceof Closeable resource) {
            resource.close();
        }
        if (key.isPresent()) {
            key.get().close();
        }
    }
}
