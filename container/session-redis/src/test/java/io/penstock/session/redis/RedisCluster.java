package io.penstock.session.redis;

import io.penstock.testing.FreePort;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** A Redis cluster of three masters. It owns the processes of the masters. */
final class RedisCluster implements AutoCloseable {
    private static final int SLOTS = 16_384;
    private static final int NODES = 3;

    private final List<RedisServer> servers = new ArrayList<>();

    private RedisCluster() {}

    static RedisCluster start(String... options) throws IOException {
        RedisCluster cluster = new RedisCluster();
        for (int i = 0; i < NODES; i++) {
            int bus = FreePort.next();
            List<String> all = new ArrayList<>(List.of("--cluster-enabled", "yes", "--cluster-port", "" + bus));
            all.addAll(List.of(options));
            RedisServer server = RedisServer.start(all.toArray(new String[0]));
            cluster.servers.add(server);
            sendClusterCommand(server, "ADDSLOTSRANGE", "" + SLOTS * i / NODES, "" + (SLOTS * (i + 1) / NODES - 1));
            if (i > 0) {
                sendClusterCommand(cluster.servers.get(0), "MEET", "127.0.0.1", "" + server.port(), "" + bus);
            }
        }
        for (RedisServer server : cluster.servers) {
            Awaitility.await().until(() -> knowsAll(server));
        }
        return cluster;
    }

    private static boolean knowsAll(RedisServer server) {
        String info = sendClusterCommand(server, "INFO");
        return info.contains("cluster_state:ok") && info.contains("cluster_size:" + NODES);
    }

    private static String sendClusterCommand(RedisServer server, String... arguments) {
        try (Jedis node = new Jedis("127.0.0.1", server.port())) {
            return new String((byte[]) node.sendCommand(Protocol.Command.CLUSTER, arguments));
        }
    }

    RedisServer first() {
        return servers.get(0);
    }

    List<Integer> ports() {
        return servers.stream().map(RedisServer::port).toList();
    }

    String hosts() {
        return ports().stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (RedisServer server : servers) {
            server.close();
        }
    }
}
