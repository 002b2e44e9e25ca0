package io.penstock.loadtest.crowd;

import java.util.List;

/** The plan of a crowd of slow clients. It consists of groups; all clients of a group do the same. */
public record CrowdPlan(List<Group> groups) {

    /**
     * A group of clients of the same kind.
     *
     * @param size the number of connections, which can be 0
     */
    public record Group(int size, Kind kind) {
        public Group {
            if (size < 0) {
                throw new IllegalArgumentException("A group cannot have " + size + " connections");
            }
        }
    }

    public CrowdPlan {
        groups = List.copyOf(groups);
    }

    /** Returns a plan with one group. */
    public static CrowdPlan of(int size, Kind kind) {
        return new CrowdPlan(List.of(new Group(size, kind)));
    }

    /**
     * Returns a plan with slow streams of HTTP/2.
     *
     * @param size the number of all streams
     * @param most the number of streams of each connection; the last connection has the rest
     */
    public static CrowdPlan ofStreams(int size, int most, Kind each) {
        Group full = new Group(size / most, new Kind.Streams(most, each));
        int rest = size % most;
        return new CrowdPlan(rest == 0 ? List.of(full) : List.of(full, new Group(1, new Kind.Streams(rest, each))));
    }

    /** The number of all clients. */
    public int size() {
        return groups.stream()
                .mapToInt(group -> group.size() * group.kind().clients())
                .sum();
    }

    /** The number of clients that send many bytes at once before they become slow. */
    public int bursts() {
        return groups.stream()
                .filter(group -> group.kind() instanceof Kind.Upload upload && upload.first() > 0)
                .mapToInt(Group::size)
                .sum();
    }

    /** The number of clients that read a response slowly. */
    public int readers() {
        return groups.stream()
                .filter(group -> group.kind() instanceof Kind.Reader)
                .mapToInt(Group::size)
                .sum();
    }
}
