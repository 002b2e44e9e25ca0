package io.penstock.peer.boot;

import org.springframework.data.jpa.repository.JpaRepository;

/** The pictures in the database. The key is the id of the product. */
interface Pictures extends JpaRepository<Picture, Long> {}
