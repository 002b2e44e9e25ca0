package io.penstock.loadtest.crowd;

import java.util.List;

/** The slow clients of a crowd: groups, in each of which all clients do the same. */
public record CrowdPlan(List<Group> groups) {

    /**
     * Clients of one kind.
     *
     * @param size how many; may be 0
     */
    public record Group(int size, Kind kind) {
        public Group {
            if (size < 0) {
                throw new IllegalArgumentException("A group cannot have " + size + " clients");
            }
        }
    }

    public CrowdPlan {
        groups = List.copyOf(groups);
    }

    /** A crowd of one group. */
    public static CrowdPlan of(int size, Kind kind) {
        return new CrowdPlan(List.of(new Group(size, kind)));
    }

    /** The number of all clients. */
    public int size() {
        return groups.stream().mapToInt(Group::size).sum();
    }

    /** The number of clients that send many bytes at once before they become slow. */
    public int bursts() {
        return groups.stream()
                .filter(group -> group.kind() instanceof Kind.Upload upload && upload.first() > 0)
                .mapToInt(Group::size)
                .sum();
    }

    /** The number of clients that wait for a response, to read it slowly. */
    public int readers() {
        return groups.stream()
                .filter(group -> group.kind() instanceof Kind.Reader)
                .mapToInt(Group::size)
                .sum();
    }
}
