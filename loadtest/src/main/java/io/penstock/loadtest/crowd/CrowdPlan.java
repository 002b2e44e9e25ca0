package io.penstock.loadtest.crowd;

import java.util.List;

/** Who stands around: groups, in each of which all do the same. */
public record CrowdPlan(List<Group> groups) {

    /**
     * So many of one kind.
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

    /** How many clients there are in all. */
    public int size() {
        return groups.stream().mapToInt(Group::size).sum();
    }

    /** How many of them send much at once before they become slow. */
    public int bursts() {
        return groups.stream()
                .filter(group -> group.kind() instanceof Kind.Upload upload && upload.first() > 0)
                .mapToInt(Group::size)
                .sum();
    }

    /** How many of them wait for a response, to read it slowly. */
    public int readers() {
        return groups.stream()
                .filter(group -> group.kind() instanceof Kind.Reader)
                .mapToInt(Group::size)
                .sum();
    }
}
