package io.penstock;

import io.penstock.admin.Pages;
import io.penstock.admin.Watched;
import io.penstock.limits.Admin;
import io.penstock.limits.Configuration;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin port of a server: a second, tiny server with threads and memory of its own. So it answers while queue and workers of the first are
 * full, and whoever asks slowly, or asks for much, keeps nobody waiting there.
 *
 * <p>Thread: the server's owner. Owns: the second server.
 */
final class AdminSite implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Penstock.class);

    private final Server site;
    private final Pages pages;

    private AdminSite(Server site, Pages pages) {
        this.site = site;
        this.pages = pages;
    }

    /**
     * Opens the port; null if there is to be none. It answers from now on, before the server does.
     *
     * @throws StartException if the port cannot be bound
     */
    static @Nullable AdminSite open(Configuration given, Watched watched) throws StartException {
        Admin admin = given.serverConfig().admin();
        if (!admin.isOn()) {
            return null;
        }
        Server site;
        try {
            InetAddress bound = InetAddress.getByName(admin.host());
            Pages pages = new Pages(watched, admin, bound);
            site = new Server(new Assembly(Assembly.Role.ADMIN, tiny(given, admin), Embedding.only(watched.memory())));
            site.start(List.of(context(pages).wanted()), WhenOneFails.NOBODY_SERVES);
            if (!bound.isLoopbackAddress() && !admin.asksForToken()) {
                LOG.warn(
                        "The admin port {} can be asked by other machines, and there is no {}",
                        site.address(),
                        Key.ADMIN_TOKEN.id());
            }
            return new AdminSite(site, pages);
        } catch (UnknownHostException e) {
            throw new StartException(Key.ADMIN_HOST.id() + ": unknown host " + admin.host(), e);
        } catch (StartException e) {
            throw new StartException(Key.ADMIN_PORT.id() + ": " + e.getMessage(), e);
        }
    }

    private static Context context(Pages pages) {
        Context context = new Context("/");
        context.filter("gate", pages.gate(), Set.of(), "/*");
        for (Pages.Page page : pages.all()) {
            context.servlet(page.name(), page.servlet(), page.patterns().toArray(String[]::new));
        }
        return context;
    }

    /** All that its few clients need. */
    private static Configuration tiny(Configuration given, Admin admin) {
        Map<Key, String> values = new EnumMap<>(Key.class);
        values.put(Key.HOST, admin.host());
        values.put(Key.PORT, Integer.toString(admin.port()));
        values.put(Key.REQUEST_METRICS, "off");
        values.put(Key.FLIGHT, "off"); // operators' questions are not what a recording is made for
        values.put(Key.MAX_CONNECTIONS, "64");
        values.put(Key.MAX_CONNECTIONS_POLICY, "replace"); // nobody keeps the operator out by holding all of them
        values.put(Key.WORKERS, "2");
        values.put(Key.REACTORS, "1");
        values.put(Key.QUEUE, "64");
        values.put(Key.PIPE_CAPACITY, "16K"); // who does not keep up with the flow board is noticed soon
        values.put(Key.PIPE_SEGMENT, "16K");
        values.put(Key.PIPE_BUDGET, "4M");
        values.put(Key.HEAD_BUDGET, "1M");
        values.put(Key.BODY_LIMIT, "0");
        values.put(Key.SPOOL_DIR, given.text(Key.SPOOL_DIR));
        values.put(Key.SPOOL_LIMIT, "256M");
        values.put(Key.SPOOL_THREADS, "1");
        values.put(Key.FILE_CACHE, "0");
        values.put(Key.MAX_SESSIONS, "1");
        values.put(Key.SHUTDOWN_TIMEOUT, "1s");
        Configuration.Sources sources = Configuration.sources();
        values.forEach((key, text) -> sources.flag(key, text, new Origin.Told("the admin port")));
        return sources.resolve();
    }

    /** How many follow the flow board. */
    int followers() {
        return pages.followers();
    }

    InetSocketAddress address() {
        return site.address();
    }

    @Override
    public void close() {
        pages.close(); // else its end would wait for those who follow the flow board
        site.stop();
    }
}
