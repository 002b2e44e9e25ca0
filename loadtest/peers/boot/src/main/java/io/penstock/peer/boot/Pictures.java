package io.penstock.peer.boot;

import org.springframework.data.jpa.repository.JpaRepository;

/** The pictures in the database, by the number of their product. */
interface Pictures extends JpaRepository<Picture, Long> {}
