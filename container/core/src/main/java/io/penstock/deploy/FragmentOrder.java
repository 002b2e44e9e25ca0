package io.penstock.deploy;

import io.penstock.deploy.WebXml.Ordering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The order in which fragments are processed (Servlet 8.2.2). */
final class FragmentOrder {
    private static final int FIRST = 0;
    private static final int MIDDLE = 1;
    private static final int LAST = 2;

    private final List<Fragment> fragments;
    private final Map<String, Integer> byName = new HashMap<>();
    /** The predecessors of each fragment. Entry {@code i} has the indexes of the fragments that must come before fragment {@code i}. */
    private final List<Set<Integer>> predecessors = new ArrayList<>();

    private final int[] group;

    private FragmentOrder(List<Fragment> fragments) throws DeploymentException {
        this.fragments = fragments;
        this.group = new int[fragments.size()];
        for (int i = 0; i < fragments.size(); i++) {
            predecessors.add(new HashSet<>());
            String name = fragments.get(i).name();
            Integer earlier = name == null ? null : byName.put(name, i);
            if (earlier != null) {
                throw new DeploymentException(
                        fragments.get(i).xml().at(),
                        "fragment name '" + name + "' is also the name of "
                                + fragments.get(earlier).xml().at()
                                + "; an <absolute-ordering> in web.xml allows this");
            }
        }
    }

    /**
     * Returns the fragments in the order in which they are processed.
     *
     * @param absolute the {@code absolute-ordering} of {@code web.xml}, or null. With an {@code absolute-ordering}, the orderings of
     *     fragments are ignored. Fragments that the {@code absolute-ordering} does not name are included only if it contains {@code
     *     <others/>}
     */
    static List<Fragment> of(List<Fragment> fragments, @Nullable List<String> absolute) throws DeploymentException {
        return absolute != null ? absolute(fragments, absolute) : new FragmentOrder(fragments).relative();
    }

    private static List<Fragment> absolute(List<Fragment> fragments, List<String> names) {
        List<Fragment> others = new ArrayList<>();
        for (Fragment fragment : fragments) {
            if (fragment.name() == null || !names.contains(fragment.name())) {
                others.add(fragment);
            }
        }
        Set<Fragment> ordered = new LinkedHashSet<>();
        for (String name : names) {
            if (name.equals(Ordering.OTHERS)) {
                ordered.addAll(others);
            } else {
                fragments.stream()
                        .filter(fragment -> name.equals(fragment.name()))
                        .forEach(ordered::add);
            }
        }
        return List.copyOf(ordered);
    }

    private List<Fragment> relative() throws DeploymentException {
        for (int i = 0; i < group.length; i++) {
            read(i, fragments.get(i).xml().ordering());
        }
        movePredecessorsForward();
        List<Fragment> ordered = new ArrayList<>();
        Set<Integer> done = new HashSet<>();
        while (done.size() < group.length) {
            int next = next(done);
            done.add(next);
            ordered.add(fragments.get(next));
        }
        return ordered;
    }

    private void read(int index, Ordering ordering) {
        boolean first = ordering.before().contains(Ordering.OTHERS);
        boolean last = ordering.after().contains(Ordering.OTHERS);
        group[index] = first == last ? MIDDLE : first ? FIRST : LAST;
        for (String name : ordering.before()) {
            Integer follower = byName.get(name);
            if (follower != null) {
                predecessors.get(follower).add(index);
            }
        }
        for (String name : ordering.after()) {
            Integer predecessor = byName.get(name);
            if (predecessor != null) {
                predecessors.get(index).add(predecessor);
            }
        }
    }

    /**
     * Moves the predecessors of fragments in the first group into this group, too. If a fragment comes before all others, its predecessors
     * must come before all others, too.
     */
    private void movePredecessorsForward() {
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < group.length; i++) {
            if (group[i] == FIRST) {
                open.add(i);
            }
        }
        while (!open.isEmpty()) {
            for (int predecessor : predecessors.get(open.remove(open.size() - 1))) {
                if (group[predecessor] != FIRST) {
                    group[predecessor] = FIRST;
                    open.add(predecessor);
                }
            }
        }
    }

    /**
     * Chooses the next fragment. All its predecessors must be in {@code done}. If several fragments are possible, the first fragment of the
     * earliest group is chosen.
     */
    private int next(Set<Integer> done) throws DeploymentException {
        int best = -1;
        for (int i = 0; i < group.length; i++) {
            boolean ready = !done.contains(i) && done.containsAll(predecessors.get(i));
            if (ready && (best < 0 || group[i] < group[best])) {
                best = i;
            }
        }
        if (best < 0) {
            throw circular(done);
        }
        return best;
    }

    private DeploymentException circular(Set<Integer> done) {
        List<String> stuck = new ArrayList<>();
        SourceLocation at = SourceLocation.file("WEB-INF/lib");
        for (int i = 0; i < group.length; i++) {
            if (!done.contains(i)) {
                at = fragments.get(i).xml().at();
                stuck.add(String.valueOf(fragments.get(i).name()));
            }
        }
        return new DeploymentException(at, "the <ordering> of these fragments is circular: " + stuck);
    }
}
