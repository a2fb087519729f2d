#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the isosurfaces of numpy arrays, against skimage and by what must hold."""
import ast
import copy
import gc
import importlib.util
import io
import math
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import weakref

import numpy as np
from PIL import Image
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree
from skimage.measure import marching_cubes as skimage_marching_cubes

import vulkanmarchingcubes as vmc

TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">i2", ">u4", ">f4", ">f8", "bool")


def sphere(shape=(20, 24, 28), radius=8.0, centre=(9.3, 10.1, 12.7)):
    """Distances to a sphere: positive within it."""
    axes = np.meshgrid(*(np.arange(count) for count in shape), indexing="ij")
    return radius - np.sqrt(sum((axis - at) ** 2 for axis, at in zip(axes, centre)))


def noise(random, kind, shape):
    values = random.random(shape) * 100
    return values > 50 if kind == "bool" else values.astype(kind)


def layouts(array):
    """The same elements in other orders in memory, and with gaps between them."""
    wide = np.zeros(tuple(2 * count for count in array.shape), array.dtype)
    wide[::2, 1::2, ::2] = array
    return {"C": np.ascontiguousarray(array), "Fortran": np.asfortranarray(array), "gaps": wide[::2, 1::2, ::2],
            "axes": np.ascontiguousarray(array.transpose(1, 2, 0)).transpose(2, 0, 1),
            "reversed": np.ascontiguousarray(array[::-1, :, ::-1])[::-1, :, ::-1]}


def volume_of(vertices, faces):
    """The enclosed volume: positive if faces are counterclockwise seen from outside."""
    corners = vertices[faces].astype(float)
    return np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6


def counts_of_edges(faces):
    """The number of faces of each edge."""
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return np.unique(edges, axis=0, return_counts=True)[1]


def sorted_rows(rows):
    rounded = np.round(rows.astype(float), 3)
    return rows[np.lexsort(rounded.T)]


def faces_of(level):
    return len(vmc.Volume(sphere(), device="CPU").surface(level).faces)


class Numpy(unittest.TestCase):
    device = "CPU"

    def surface(self, array, level, **options):
        return vmc.marching_cubes(array, level, **{"device": self.device, **options})

    def test_vertices_are_those_of_skimage(self):
        """The level is no element. skimage contours float32 alone."""
        random = np.random.default_rng(1)
        compared = 0
        for kind in TYPES:
            for _ in range(8):
                shape = tuple(random.integers(2, 17, 3))
                array = noise(random, kind, shape)
                level = 0.5 if kind == "bool" else 50.0123 if np.dtype(kind).kind == "f" else 50.5
                native = array.astype(array.dtype.newbyteorder("="))
                if native.min() >= level or native.max() <= level:
                    continue
                expected = cKDTree(skimage_marching_cubes(native.astype("f4"), level)[0])
                for name, view in layouts(array).items():
                    with self.subTest(kind=kind, shape=shape, layout=name):
                        vertices, faces, normals, values = self.surface(view, level)
                        # skimage has vertices within some cells with an ambiguous case, too.
                        self.assertLess(expected.query(vertices)[0].max(), 1e-5)
                        self.assertLess(expected.n - len(vertices), 0.1 * len(vertices) + 3)
                        self.assertEqual((vertices.dtype, faces.dtype, normals.dtype), ("f4", "i4", "f4"))
                        self.assertEqual(faces.max() + 1, len(vertices))
                        beside = np.floor(vertices + 1e-4).astype(int), np.ceil(vertices - 1e-4).astype(int)
                        largest = np.maximum(*(native[tuple(ends.T)] for ends in beside)).astype("f4")
                        np.testing.assert_array_equal(values, largest)
                        compared += 1
        self.assertGreater(compared, 500)

    def test_a_sphere_is_that_of_skimage(self):
        array = sphere().astype("f4")
        for options in ({}, {"spacing": (1, 2, 0.5)}, {"gradient_direction": "ascent"}, {"step_size": 2}):
            with self.subTest(**options):
                theirs = skimage_marching_cubes(array, 0.0, **options)
                ours = self.surface(array, 0.0, **options)
                np.testing.assert_allclose(sorted_rows(ours[0]), sorted_rows(theirs[0]), atol=1e-5)
                self.assertEqual(len(ours[1]), len(theirs[1]))
                self.assertAlmostEqual(volume_of(*ours[:2]) / volume_of(*theirs[:2]), 1, places=4)

    def test_normals_point_away_from_the_sphere(self):
        for spacing in ((1, 1, 1), (1, 2, 0.5)):
            vertices, _, normals, _ = self.surface(sphere(radius=9).astype("f4"), 1.0, spacing=spacing)
            outward = (vertices / spacing - (9.3, 10.1, 12.7)) / spacing
            outward /= np.linalg.norm(outward, axis=1)[:, None]
            angles = np.degrees(np.arccos(np.clip((normals * outward).sum(axis=1), -1, 1)))
            self.assertLess(angles.max(), 1)

    def test_normals_of_smooth_data_are_those_of_skimage(self):
        """Those of skimage are off by about 30 degrees divided by the radius, 0.75 here."""
        array = sphere((88, 90, 92), 40, (43.3, 44.1, 45.7)).astype("f4")
        theirs, ours = skimage_marching_cubes(array, 0.0), self.surface(array, 0.0)
        nearest = cKDTree(theirs[0]).query(ours[0])[1]
        angles = np.degrees(np.arccos(np.clip((theirs[2][nearest] * ours[2]).sum(axis=1), -1, 1)))
        self.assertLess(angles.max(), 1)

    def test_an_origin_moves_the_vertices(self):
        array = sphere()
        moved = self.surface(array, 0.0, spacing=(2, 2, 2), origin=(10, 20, 30))[0]
        np.testing.assert_allclose(moved, 2 * self.surface(array, 0.0)[0] + (10, 20, 30), atol=1e-5)

    def test_values_do_not_depend_on_the_origin(self):
        array = np.random.default_rng(9).random((20, 20, 20))
        vertices, _, _, values = self.surface(array, 0.5)
        moved = self.surface(array, 0.5, origin=(1e4,) * 3, spacing=(0.1,) * 3)[3]
        away = np.abs(vertices - np.round(vertices)).max(axis=1) > 0.03  # positions are rounded by 0.005 steps
        self.assertGreater(np.count_nonzero(away), 0.9 * len(values))
        np.testing.assert_array_equal(moved[away], values[away])

    def test_a_closed_boundary_encloses_the_elements_above(self):
        array = np.ones((4, 5, 6), "u1")
        vertices, faces, _, _ = self.surface(array, 0.5, boundary="close", gradient_direction="ascent")
        self.assertAlmostEqual(volume_of(vertices, faces), 3 * 4 * 5, places=4)
        self.assertTrue((counts_of_edges(faces) == 2).all())

    def test_masked_elements_touch_no_face(self):
        array = sphere()
        mask = np.ones(array.shape, bool)
        mask[:, :11] = False
        for layout in layouts(array).values():
            vertices = self.surface(layout, 0.0, mask=mask)[0]
            self.assertGreaterEqual(vertices[:, 1].min(), 11)
            masked = self.surface(np.ma.MaskedArray(layout, ~mask), 0.0)[0]
            np.testing.assert_array_equal(vertices, masked)

    def test_several_levels_are_one_surface(self):
        volume = vmc.Volume(sphere(), device=self.device)
        both = volume.surface([0.0, 2.0], wide_ids=True)
        self.assertEqual(both.faces.dtype, "i8")
        for i, level in enumerate((0.0, 2.0)):
            one = volume.surface(level)
            vertices = slice(*both.first_vertex[i:i + 2])
            np.testing.assert_array_equal(both.vertices[vertices], one.vertices)
            faces = both.faces[slice(*both.first_face[i:i + 2])]
            np.testing.assert_array_equal(faces - both.first_vertex[i], one.faces)

    def test_the_level_is_otsus_threshold_unless_given(self):
        array = np.where(sphere() > 0, 200, 50).astype("u1")
        volume = vmc.Volume(array, device=self.device)
        self.assertTrue(50 < volume.threshold() <= 200)
        np.testing.assert_array_equal(self.surface(array, None)[0], volume.surface(volume.threshold()).vertices)
        self.assertEqual(volume.range(), (50, 200))

    def test_a_histogram_is_that_of_numpy(self):
        array = np.random.default_rng(5).normal(0, 40, (20, 21, 22))
        array[3, 4, 5:9] = np.nan
        mask = np.ones(array.shape, bool)
        mask[:2] = False
        for kind in ("i2", "f4", "f8"):
            typed = array.astype(kind) if kind[0] == "f" else np.nan_to_num(array).astype(kind)
            used = typed[2:][~np.isnan(typed[2:])]
            for bins, limits in ((10, None), (1000, None), (7, (-20, 30.5))):
                with self.subTest(kind=kind, bins=bins):
                    found = vmc.Volume(typed, mask=mask, device=self.device).histogram(bins, limits)
                    expected = np.histogram(used.astype(float), bins, limits)
                    np.testing.assert_array_equal(found.counts, expected[0])
                    np.testing.assert_allclose(found.edges, expected[1], rtol=1e-12)
                    self.assertEqual(len(found.cut_cells), bins)
        labels = np.random.default_rng(6).integers(3, 9, (9, 9, 9)).astype("u1")
        found = vmc.Volume(labels, device=self.device).histogram()
        np.testing.assert_array_equal(found.edges, np.arange(3, 10))
        np.testing.assert_array_equal(found.counts, np.bincount(labels.ravel())[3:])
        corners = np.lib.stride_tricks.sliding_window_view(labels, (2, 2, 2)).reshape(-1, 8)
        cut = (corners.min(axis=1) < 5.5) & (corners.max(axis=1) >= 5.5)
        self.assertEqual(found.cut_cells[2], np.count_nonzero(cut))

    def test_levels_are_suggested(self):
        labels = np.where(sphere() > 0, 200, np.where(sphere() > -3, 90, 10)).astype("u1")
        found = vmc.Volume(labels, device=self.device).suggest()
        self.assertEqual(found.valleys, (50, 145))
        self.assertTrue(10 < found.threshold <= 200 and 10 < found.most_cut_cells <= 90)
        self.assertEqual(vmc.Volume(np.ones((3, 3, 3)), device=self.device).suggest(), (None, (), None))

    def test_a_component_is_chosen_by_its_index(self):
        array = np.random.default_rng(8).random((9, 10, 11, 3))
        for component in (0, 2, -2):
            ours = self.surface(array, 0.5, component=component)
            np.testing.assert_array_equal(ours[0], self.surface(array[..., component].copy(), 0.5)[0])
        hidden = array > 0.9
        masked = vmc.Volume(np.ma.MaskedArray(array, hidden), component=1, device=self.device).histogram(4, (0, 1))
        self.assertEqual(masked.counts.sum(), np.count_nonzero(~hidden[..., 1]))
        for volume, component in ((array, 3), (array, -4), (array[0], 0)):
            with self.assertRaisesRegex(ValueError, "component"):
                self.surface(volume, 0.5, component=component)

    def test_a_volume_closes_itself(self):
        with vmc.Volume(sphere(), device=self.device) as volume:
            surface = volume.surface(0.0)
            array = sphere()
            other = vmc.Volume(array, device=self.device)
            kept = weakref.ref(array)
            del array
            self.assertIsNotNone(kept())
        for use in (volume.surface, volume.range, volume.suggest, volume.picture, lambda: volume.device):
            with self.assertRaisesRegex(ValueError, "closed"):
                use()
        other.close()
        self.assertIsNone(kept())
        self.assertLess(np.abs(surface.vertices - (9.3, 10.1, 12.7)).max(), 9)

    def test_a_picture_shows_the_surface(self):
        """A sphere before the eye: a disc of the size of its outline, within half a pixel, brightest in the middle."""
        centre, radius = (9.3, 10.1, 12.7), 8.0
        volume = vmc.Volume(sphere(), device=self.device)
        camera = vmc.Camera((9.3, 10.1, 112.7), centre, angle=20)
        picture = volume.picture(0.0, camera, width=150, height=100)
        self.assertEqual((picture.image.shape, picture.image.dtype), ((100, 150, 4), "u1"))
        np.testing.assert_array_equal(picture.image[..., 3] == 255, picture.level == 0)
        rows, columns = np.nonzero(picture.level == 0)
        outline = 50 * math.tan(math.asin(radius / 100)) / math.tan(math.radians(10))  # in pixels
        self.assertAlmostEqual(math.sqrt(len(rows) / math.pi), outline, delta=0.5)
        np.testing.assert_allclose((rows.mean(), columns.mean()), (49.5, 74.5), atol=0.5)
        self.assertGreater(picture.image[50, 75, 0], 1.5 * picture.image[50, 75 + int(outline) - 1, 0])
        np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(picture._repr_png_()))), picture.image)

        array = sphere()
        array[14:, :, :] = -1  # the ball has no top: axis 0 points upwards
        cut = vmc.Volume(array, device=self.device).picture(0.0, camera, width=100, height=100)
        self.assertGreater(np.nonzero(cut.level == 0)[0].min(), np.nonzero(picture.level == 0)[0].min() + 5)
        both = volume.picture([4.0, 0.0], width=60, height=60)
        self.assertEqual(set(np.unique(both.level)), {-1, 1})  # the larger sphere is before the smaller one
        edge = np.concatenate([both.level[0], both.level[-1], both.level[:, 0], both.level[:, -1]])
        self.assertTrue((edge == -1).all())
        for wrong in ({"width": 0}, {"camera": vmc.Camera(centre, centre)}, {"camera": camera._replace(angle=180)}):
            with self.assertRaises(ValueError):
                volume.picture(0.0, **wrong)

    def test_degenerate_faces_can_be_left_out(self):
        array = np.round(sphere())  # many elements are equal to the level
        vertices, faces, _, _ = self.surface(array, 1.0, allow_degenerate=False)
        corners = vertices[faces]
        self.assertTrue((corners[:, 0] != corners[:, 1]).any(axis=1).all())
        self.assertEqual(len(np.unique(faces)), len(vertices))
        self.assertLess(len(faces), len(self.surface(array, 1.0)[1]))
        self.assertEqual(len(np.unique(vertices, axis=0)), len(vertices))
        self.assertTrue((counts_of_edges(faces) % 2 == 0).all())  # closed, though some edges belong to four faces

    def test_regions_are_the_connected_faces(self):
        array = np.random.default_rng(3).random((20, 21, 22))
        volume = vmc.Volume(array, device=self.device)
        surface = volume.surface(0.8, regions=True)
        ends = surface.faces[:, [0, 1, 1, 2]].reshape(-1, 2)
        graph = coo_matrix((np.ones(len(ends)), ends.T), shape=(len(surface.vertices),) * 2)
        count, labels = connected_components(graph, directed=False)
        self.assertEqual(surface.vertex_regions.max() + 1, count)
        self.assertEqual(len(np.unique(labels * count + surface.vertex_regions)), count)
        np.testing.assert_array_equal(surface.face_regions, surface.vertex_regions[surface.faces[:, 0]])
        sizes = np.bincount(surface.face_regions)
        self.assertTrue((np.diff(sizes) <= 0).all())

        np.testing.assert_array_equal(surface.regions["faces"], sizes)
        one = surface.faces[surface.face_regions == 3]
        corners = surface.vertices[one].astype(float)
        areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
        self.assertAlmostEqual(surface.regions["area"][3] / areas.sum(), 1, places=5)
        np.testing.assert_allclose(surface.regions["low"][3], corners.min(axis=(0, 1)))
        both = volume.surface([0.8, 0.9], regions=True)
        np.testing.assert_array_equal(np.bincount(both.regions["level"]),
                                      [count, len(volume.surface(0.9, regions=True).regions)])

        largest = volume.surface(0.8, keep="largest", count=2)
        self.assertEqual(len(largest.faces), sizes[:2].sum())
        np.testing.assert_array_equal(largest.vertices, surface.vertices[surface.vertex_regions < 2])
        large = volume.surface(0.8, keep="triangles", least=100)
        self.assertEqual(len(large.faces), sizes[sizes >= 100].sum())
        self.assertIsNone(large.vertex_regions)
        kept = volume.surface(0.8, keep="area", least=20, regions=True).regions
        np.testing.assert_array_equal(kept, surface.regions[surface.regions["area"] >= 20])

    def test_regions_are_chosen_by_each_rule(self):
        """Four balls: one at the border, the others of three sizes within."""
        axes = np.meshgrid(*(np.arange(40),) * 3, indexing="ij")
        balls = (((0, 20, 20), 6), ((20, 8, 8), 5), ((20, 30, 30), 4), ((32, 10, 30), 3))
        array = np.max([radius - np.sqrt(sum((axis - at) ** 2 for axis, at in zip(axes, centre)))
                        for centre, radius in balls], axis=0)
        volume = vmc.Volume(array, device=self.device)

        def kept(**options):
            low, high = (volume.surface(0.0, regions=True, **options).regions[name] for name in ("low", "high"))
            return {index for index, (centre, _) in enumerate(balls)
                    for row in range(len(low)) if ((low[row] <= centre) & (centre <= high[row])).all()}

        self.assertEqual(kept(keep="all"), {0, 1, 2, 3})
        self.assertEqual(kept(keep="largest", count=1), {1})
        self.assertEqual(kept(keep="volume", least=4 / 3 * np.pi * 3.5**3), {0, 1, 2})
        self.assertEqual(kept(keep="area", least=4 * np.pi * 4.5**2), {1})
        self.assertEqual(kept(keep="touching border"), {0})
        self.assertEqual(kept(keep="not touching border"), {1, 2, 3})
        self.assertEqual(kept(keep="nearest", point=(39, 0, 39)), {3})

    def test_measures_of_a_sphere(self):
        step, radius = 0.5, 4.0
        array = sphere((24, 24, 28)) * step
        volume = vmc.Volume(array, spacing=(step, step, step), device=self.device)
        measures, other = volume.measure([0.0, 1.0])
        self.assertEqual(measures["open_edges"], 0)
        self.assertAlmostEqual(measures["area"] / (4 * np.pi * radius ** 2), 1, delta=0.01)
        self.assertAlmostEqual(measures["volume"] / (4 / 3 * np.pi * radius ** 3), 1, delta=0.02)
        np.testing.assert_allclose(measures["centroid"], np.multiply((9.3, 10.1, 12.7), step), atol=1e-3)
        self.assertEqual(measures["volume_above"], np.count_nonzero(array >= 0) * step ** 3)
        self.assertAlmostEqual(other["share_above"], np.count_nonzero(array >= 1) / array.size)
        self.assertEqual(volume.measure(0.0), measures)
        vertices, faces = volume.surface(0.0)[:2]
        self.assertEqual(measures["faces"], len(faces))
        self.assertAlmostEqual(volume_of(vertices, faces) / measures["volume"], 1, places=5)
        np.testing.assert_allclose(measures["low"], vertices.min(axis=0))

    def test_a_surface_is_written_as_stl_and_ply(self):
        surface = vmc.Volume(sphere(), device=self.device).surface(0.0)
        with tempfile.TemporaryDirectory() as folder:
            stl, ply = pathlib.Path(folder) / "a.stl", pathlib.Path(folder) / "a.PLY"
            surface.save(stl)
            surface.save(str(ply))
            with self.assertRaisesRegex(ValueError, ".obj"):
                surface.save(pathlib.Path(folder) / "a.obj")
            row = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
            self.assertEqual(np.fromfile(stl, "<u4", 1, offset=80)[0], len(surface.faces))
            rows = np.fromfile(stl, row, offset=84)
            np.testing.assert_array_equal(rows["corners"], surface.vertices[surface.faces])
            self.assertTrue(((rows["normal"] * (rows["corners"].mean(axis=1) - (9.3, 10.1, 12.7))).sum(axis=1) > 0).all())
            header, data = ply.read_bytes().split(b"end_header\n")
            self.assertIn(b"element vertex %d\n" % len(surface.vertices), header)
            size = 24 * len(surface.vertices)
            numbers = np.frombuffer(data[:size], "<f4").reshape(-1, 6)
            np.testing.assert_array_equal(numbers, np.hstack([surface.vertices, surface.normals]))
            faces = np.frombuffer(data[size:], [("count", "u1"), ("ids", "<i4", 3)])
            np.testing.assert_array_equal(faces["ids"], surface.faces)

    @unittest.skipUnless(importlib.util.find_spec("pyvista"), "PyVista is not installed")
    def test_pyvista_takes_a_surface(self):
        import pyvista
        surface = vmc.Volume(sphere(), device=self.device).surface(0.0)
        mesh = pyvista.PolyData.from_regular_faces(surface.vertices, surface.faces)
        self.assertEqual((mesh.n_points, mesh.n_cells), (len(surface.vertices), len(surface.faces)))
        self.assertTrue(mesh.is_manifold)
        self.assertAlmostEqual(mesh.volume / volume_of(surface.vertices, surface.faces), 1, places=5)

    def run_script(self, script):
        """Runs a script with a volume of noise. Returns what it prints."""
        head = ("import atexit, os, signal, sys, threading, time, numpy, vulkanmarchingcubes as v\n"
                "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # shells ignore it in the background
                f"device = {self.device!r}\n"
                "volume = v.Volume(numpy.random.default_rng(1).random((100, 100, 100), 'f4'), device=device)\n"
                "def interrupt(seconds):\n"
                "    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n")
        done = subprocess.run([sys.executable, "-c", head + textwrap.dedent(script)], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True, timeout=120)
        return done.stdout

    def test_ctrl_c_ends_a_run(self):
        self.assertEqual(self.run_script("""
            try:
                interrupt(0.5)
                while True:
                    volume.surface(0.5)
            except KeyboardInterrupt:
                print('stopped', len(volume.surface(2).faces))
            """), "stopped 0\n")

    def test_ctrl_c_ends_a_picture(self):
        self.assertEqual(self.run_script("""
            volume.picture(0.5)
            start = time.time()
            volume.picture(0.5)
            whole = 256 * (time.time() - start)
            start = time.time()
            try:
                interrupt(0.1)
                while True:
                    volume.picture(0.5, width=8192, height=8192)
            except KeyboardInterrupt:
                print('stopped', time.time() - start < max(whole / 4, 1))
            """), "stopped True\n")

    def test_the_process_ends_while_threads_run(self):
        """Without waiting for them, most of these processes abort."""
        for _ in range(3):
            self.assertEqual(self.run_script("""
                def work():
                    while True:
                        try:
                            volume.surface(0.5)
                        except RuntimeError:
                            return
                threading.Thread(target=work, daemon=True).start()
                time.sleep(0.3)
                """), "")

    def test_the_handler_of_a_signal_may_not_use_the_volume(self):
        self.assertEqual(self.run_script("""
            def handle(*_):
                try:
                    volume.surface(0.5)
                except RuntimeError as error:
                    print(error)
                raise KeyboardInterrupt
            signal.signal(signal.SIGINT, handle)
            try:
                interrupt(0.3)
                while True:
                    volume.picture(0.5, width=8192, height=8192)
            except KeyboardInterrupt:
                print('stopped')
            """), "This thread uses the volume already.\nstopped\n")

    def test_a_volume_from_before_a_fork_says_so(self):
        self.assertEqual(self.run_script("""
            volume.surface(0.5)
            if os.fork() == 0:
                signal.alarm(60)
                try:
                    volume.surface(0.5)
                except RuntimeError as error:
                    print(error, flush=True)
            else:
                os.wait()
            """), "The volume was made before fork(); make another one in this process.\n")

    def test_a_spawned_process_makes_the_same_surface(self):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            counts = pool.map_async(faces_of, [0.0, 1.0, 2.0]).get(100)
        self.assertEqual(counts, [faces_of(level) for level in (0.0, 1.0, 2.0)])

    def test_wrong_arguments_have_clear_exceptions(self):
        array = sphere()
        for exception, text, volume, level, options in (
                (ValueError, "2 axes", np.zeros((3, 3)), 0, {}),
                (ValueError, "(3, 0, 3)", np.zeros((3, 0, 3)), 0, {}),
                (ValueError, "2 elements or more", np.ones((3, 3, 1)), 1, {}),
                (ValueError, "2 elements or more", array, 0, {"step_size": 100}),
                (TypeError, "complex128", np.zeros((3, 3, 3), complex), 0, {}),
                (TypeError, "object", np.zeros((3, 3, 3), object), 0, {}),
                (ValueError, "shape", array, 0, {"mask": np.ones((2, 2, 2), bool)}),
                (ValueError, "shape", array, 0, {"mask": np.ones((19, 23, 27), bool), "step_size": 2}),
                (ValueError, "shape", np.ma.MaskedArray(array), 0, {"mask": True}),
                (TypeError, "mask", array, 0, {"mask": np.full(array.shape, np.nan)}),
                (TypeError, "level", array, "0.5", {}),
                (TypeError, "level", array, 10**400, {}),
                (TypeError, "spacing", array, 0, {"spacing": "123"}),
                (ValueError, "spacing is 1e\\+38", array, 0, {"spacing": (1e38,) * 3}),
                (ValueError, "spacing is 1e-160", array, 0, {"spacing": (1e-160,) * 3}),
                (ValueError, "positions", array, 0, {"origin": (1e300,) * 3}),
                (TypeError, "step_size", array, 0, {"step_size": 1.5}),
                (TypeError, "device", array, 0, {"device": 0}),
                (ValueError, "nan", array, float("nan"), {}),
                (ValueError, "spacing", array, 0, {"spacing": (1, 2)}),
                (ValueError, "spacing", array, 0, {"spacing": (1, 0, 1)}),
                (ValueError, "boundary", array, 0, {"boundary": "extend"}),
                (ValueError, "level", array, 1e9, {}),
                (ValueError, "level", array, [1e9, 2e9], {}),
                (RuntimeError, "no surface", np.ones((3, 3, 3)), 1, {}),
                (RuntimeError, "no surface", np.full((3, 3, 3), np.nan), 1, {}),
                (RuntimeError, "no surface", np.ones((3, 3, 3)), None, {})):
            with self.subTest(text=text, **options), self.assertRaisesRegex(exception, text):
                self.surface(volume, level, **options)
        volume = vmc.Volume(array, device=self.device)
        for exception, use in (
                (ValueError, lambda: vmc.Volume(np.ones((3, 3, 3))).surface()),
                (ValueError, lambda: volume.surface(0, keep="biggest")), (ValueError, lambda: volume.surface(0, count=0)),
                (TypeError, lambda: volume.surface(0, count=2.0)), (ValueError, lambda: volume.surface(0, threads=-1)),
                (ValueError, lambda: volume.surface(0, least=np.nan)), (ValueError, lambda: volume.surface([[0]])),
                (ValueError, lambda: volume.histogram(0)), (TypeError, lambda: volume.histogram("a")),
                (ValueError, lambda: volume.histogram(9, (2, 1))), (ValueError, lambda: volume.histogram(9, ())),
                (TypeError, lambda: volume.picture(0, width=9.5)), (ValueError, lambda: volume.picture(0, height=0)),
                (ValueError, lambda: volume.picture(0, colors=[(255, 0, 0)])),
                (ValueError, lambda: volume.picture(0, colors=[(1, 0, 0, 1)])),
                (TypeError, lambda: volume.picture(0, camera=(1, 2))), (TypeError, lambda: copy.deepcopy(volume))):
            with self.assertRaises(exception):
                use()
        with self.assertRaisesRegex(ValueError, "no such device"):
            vmc.Volume(array, device="no such device")

    def test_results_outlive_their_volume(self):
        array = sphere()
        expected = self.surface(array, 0.0)[0].copy()
        volume = vmc.Volume(array, device=self.device)
        surface = volume.surface(0.0)
        del volume
        gc.collect()
        for _ in range(20):
            self.surface(np.random.default_rng(2).random((40, 40, 40)), 0.5)
        np.testing.assert_array_equal(surface.vertices, expected)

    def test_threads_may_share_a_volume(self):
        volume = vmc.Volume(sphere((40, 40, 40)), device=self.device)
        expected = [volume.surface(level) for level in range(4)]
        failures = []

        def work(level):
            for _ in range(20):
                surface = volume.surface(level)
                if not (surface.vertices == expected[level].vertices).all():
                    failures.append(level)

        threads = [threading.Thread(target=work, args=(i % 4,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


@unittest.skipIf(len(vmc.devices()) == 1, "there is no Vulkan device")
class NumpyOnDevice(Numpy):
    device = vmc.devices()[0]


class RealVolumes(unittest.TestCase):
    @unittest.skipIf("VMC_VOLUMES" not in os.environ, "VMC_VOLUMES names no folder of volumes")
    def test_vertices_on_edges_are_those_of_skimage(self):
        """skimage has a vertex within some cells with an ambiguous case, too."""
        files = sorted(pathlib.Path(os.environ["VMC_VOLUMES"]).glob("*.raw"))
        self.assertGreater(len(files), 0)
        for file in files:
            *size, kind = re.search(r"_(\d+)x(\d+)x(\d+)_(\w+)\.raw", file.name).groups()
            array = np.fromfile(file, kind).reshape([int(count) for count in reversed(size)]).astype("f4")
            volume = vmc.Volume(array, device="CPU")
            level = float(np.float32(volume.threshold() + 0.123 * (kind[0] != "f")))  # no element of integers is equal
            theirs = skimage_marching_cubes(array, level)[0]
            on_edge = (np.abs(theirs - np.round(theirs)) < 1e-5).sum(axis=1) >= 2
            ours = volume.surface(level).vertices
            with self.subTest(file=file.name):
                self.assertEqual(np.count_nonzero(on_edge), len(ours))
                self.assertLess(cKDTree(ours).query(theirs[on_edge])[0].max(), 1e-5)
                self.assertLess(cKDTree(theirs).query(ours)[0].max(), 1e-5)
            print(f"{file.name}: {len(ours)} vertices, and {np.count_nonzero(~on_edge)} of skimage within cells")


class Processes(unittest.TestCase):
    def test_ten_thousand_calls_need_no_more_memory(self):
        """The first calls allocate what is kept for later ones."""
        random = np.random.default_rng(4)
        after = []
        for call in range(10_000):
            array = random.random(tuple(random.integers(1, 20, 3)))
            level, mask = (0.5, None) if call % 3 else (float("nan"), np.ones((2, 2, 2), bool))
            try:
                vmc.marching_cubes(array, level, mask=mask, device="CPU")
            except (ValueError, RuntimeError):
                pass
            if call % 2000 == 1999:
                gc.collect()
                after.append(int(re.search(r"VmRSS:\s+(\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]))
        self.assertLess(after[-1] - after[0], 2048, after)  # kB: a fragment of a heap

    def test_a_forked_process_makes_the_same_surface(self):
        expected = [faces_of(level) for level in (0.0, 1.0)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map_async(faces_of, [0.0, 1.0]).get(100), expected)


class Import(unittest.TestCase):
    def test_it_loads_no_library_of_vtk_or_vulkan(self):
        script = ("import vulkanmarchingcubes as v; v.Volume, v.marching_cubes\n"
                  "print(open('/proc/self/maps').read())")
        maps = subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True).stdout
        self.assertIn("_core", maps)
        for library in ("libvtk", "libvulkan", "libQt", "libGL", "libEGL"):
            self.assertNotIn(library, maps)

    def test_its_types_are_those_of_its_names(self):
        stub = ast.parse(pathlib.Path(vmc.__file__).with_name("__init__.pyi").read_text(encoding="utf-8"))
        names = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        names |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
        self.assertEqual(names - {None}, {name for names in vmc._NAMES.values() for name in names})
        for node in stub.body:
            if isinstance(node, ast.ImportFrom) and node.level:
                for alias in node.names:
                    self.assertIn(alias.name, vmc.__all__)
                    self.assertEqual(getattr(vmc, alias.name).__module__, f"vulkanmarchingcubes.{node.module}")

    def test_all_of_its_names_exist(self):
        names = {}
        exec("from vulkanmarchingcubes import *", names)
        self.assertLessEqual(set(vmc.__all__), set(names))
        self.assertLessEqual(set(vmc.__all__), set(dir(vmc)))

    def test_the_cpu_is_the_last_device(self):
        self.assertEqual(vmc.devices()[-1], "CPU")


if __name__ == "__main__":
    unittest.main(verbosity=2)
