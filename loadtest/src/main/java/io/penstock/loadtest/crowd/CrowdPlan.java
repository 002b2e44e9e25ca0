package io.penstock.loadtest.crowd;

import java.util.List;

/** The plan of a crowd of slow clients. It consists of groups; all clients of a group do the same. */
public record CrowdPlan(List<Group> groups) {

    /**
     * A group of clients that do the same.
     *
     * @param size the number of connections, which can be 0
     */
    public record Group(int size, SlowClient client, SlowClient.Manner manner) {
        public Group {
            if (size < 0) {
                throw new IllegalArgumentException("A group cannot have " + size + " connections");
            }
        }

        private int clients() {
            return client.isHttp2() ? size * manner.streams() : size;
        }
    }

    public CrowdPlan {
        groups = List.copyOf(groups);
    }

    /**
     * Returns a plan with one kind of client.
     *
     * @param size the number of clients; if they are streams of HTTP/2, the last connection has the rest
     */
    public static CrowdPlan of(int size, SlowClient client, SlowClient.Manner manner) {
        if (!client.isHttp2()) {
            return new CrowdPlan(List.of(new Group(size, client, manner)));
        }
        Group full = new Group(size / manner.streams(), client, manner);
        int rest = size % manner.streams();
        return new CrowdPlan(rest == 0 ? List.of(full) : List.of(full, new Group(1, client, manner.withStreams(rest))));
    }

    public int size() {
        return groups.stream().mapToInt(Group::clients).sum();
    }

    /** The number of clients that read a response slowly. */
    public int readers() {
        return groups.stream()
                .filter(group -> group.client == SlowClient.READER)
                .mapToInt(Group::size)
                .sum();
    }
}
